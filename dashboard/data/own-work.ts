import { queryClient } from './query-client.ts'

let isNavigating = () => false

/** Tells this module how to see whether the tab is on its way to another screen. */
export function watchNavigation(isLoading: () => boolean): void {
  isNavigating = isLoading
}

const checkMs = 250
/** A change that takes longer, such as an upload, does not keep the screen from being read anew. */
const longestWaitMs = 5_000

const isBusy = () => isNavigating() || queryClient.isMutating() > 0

/**
 * Calls `act` at once; while a change of this tab or the way to its next screen is under way, after that. The event of
 * a deletion often comes before its reply: what it deleted is left then, not read again.
 */
export function afterOwnWork(act: () => void): void {
  if (!isBusy()) {
    act()
    return
  }
  const startedAt = performance.now()
  let wasQuiet = false
  const timer = setInterval(() => {
    // twice in a row: between a reply and the navigation to which it leads, nothing is under way for a moment
    const isQuiet = !isBusy()
    if ((isQuiet && wasQuiet) || performance.now() - startedAt > longestWaitMs) {
      clearInterval(timer)
      act()
    }
    wasQuiet = isQuiet
  }, checkMs)
}
