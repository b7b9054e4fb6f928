let show: () => void

/**
 * Resolves once the first screen of the tab has its scripts and its data: what later screens need is loaded after it,
 * also on a slow device or connection.
 */
export const firstScreen = new Promise<void>(resolve => {
  show = resolve
})

const checkMs = 500

/**
 * Resolves `firstScreen` when `isLoading` has been false twice in a row: between its script and its first read, a screen
 * loads nothing for a moment.
 */
export function watchFirstScreen(isLoading: () => boolean): void {
  let wasQuiet = false
  const timer = setInterval(() => {
    const isQuiet = !isLoading()
    if (isQuiet && wasQuiet) {
      clearInterval(timer)
      show()
    }
    wasQuiet = isQuiet
  }, checkMs)
}
