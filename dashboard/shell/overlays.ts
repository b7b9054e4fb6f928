import { createStore, useStore } from '../parts/store.ts'

/** The overlays of the page; at most one is open. */
export type Overlay = 'palette' | 'keys' | 'navigation' | 'sign-out-everywhere'

const open = createStore<Overlay | undefined>(undefined)

export function openOverlay(overlay: Overlay): void {
  open.set(overlay)
}

export function closeOverlay(): void {
  open.set(undefined)
}

export function useOverlay(): Overlay | undefined {
  return useStore(open)
}
