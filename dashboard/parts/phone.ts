import { useSyncExternalStore } from 'react'

/** Below this width the layout is that of a phone; the style sheets have the same number. */
const query = matchMedia('(max-width: 899px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
