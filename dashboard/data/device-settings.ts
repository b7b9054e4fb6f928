import { createStore, useStore } from '../parts/store.ts'

/** The settings that this browser keeps for its person. Nothing secret, and nothing that matters elsewhere. */
type DeviceSettings = {
  isSidebarCollapsed: boolean
  /** The ids of the last commands of the palette, latest first. */
  recentCommands: readonly string[]
  /** Stacks of errors are shown as they were sent. */
  isStackRaw: boolean
}

const usual: DeviceSettings = { isSidebarCollapsed: false, recentCommands: [], isStackRaw: false }
const storageKey = 'patio.device'
const settings = createStore(read())

/** The settings of this browser, and the function that changes some of them. */
export function useDeviceSettings(): [DeviceSettings, (part: Partial<DeviceSettings>) => void] {
  return [useStore(settings), change]
}

function change(part: Partial<DeviceSettings>): void {
  settings.set({ ...settings.get(), ...part })
  localStorage.setItem(storageKey, JSON.stringify(settings.get()))
}

function read(): DeviceSettings {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<DeviceSettings>) }
  } catch {
    return usual
  }
}
