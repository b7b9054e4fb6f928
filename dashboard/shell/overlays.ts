import { useSyncExternalStore } from 'react'

/** The overlays of the page; at most one is open. */
export type Overlay = 'palette' | 'keys' | 'navigation' | 'sign-out-everywhere'

let open: Overlay | undefined
const listeners = new Set<() => void>()

export function openOverlay(overlay: Overlay): void {
  show(overlay)
}

export function closeOverlay(): void {
  show(undefined)
}

export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(subscribe, () => open)
}

function show(overlay: Overlay | undefined): void {
  open = overlay
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
