import { useSyncExternalStore } from 'react'

/** The settings that this browser keeps for its person. Nothing secret, and nothing that matters elsewhere. */
type DeviceSettings = {
  isSidebarCollapsed: boolean
  /** The ids of the last commands of the palette, latest first. */
  recentCommands: readonly string[]
}

const usual: DeviceSettings = { isSidebarCollapsed: false, recentCommands: [] }
const storageKey = 'patio.device'
let settings = read()
const listeners = new Set<() => void>()

/** The settings of this browser, and the function that changes some of them. */
export function useDeviceSettings(): [DeviceSettings, (part: Partial<DeviceSettings>) => void] {
  return [useSyncExternalStore(subscribe, () => settings), change]
}

function change(part: Partial<DeviceSettings>): void {
  settings = { ...settings, ...part }
  localStorage.setItem(storageKey, JSON.stringify(settings))
  for (const listener of listeners) listener()
}

function read(): DeviceSettings {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<DeviceSettings>) }
  } catch {
    return usual
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
