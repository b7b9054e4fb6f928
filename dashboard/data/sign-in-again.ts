import { createStore, useStore } from '../parts/store.ts'

/**
 * When a session ends while somebody works, calls wait here until the person has signed in again in a dialog.
 * Then they go on, so nothing that was typed is lost.
 */
const waiting = createStore<PromiseWithResolvers<void> | undefined>(undefined)

/** Opens the dialog, and returns when the person has signed in again. */
export function untilSignedInAgain(): Promise<void> {
  const current = waiting.get() ?? Promise.withResolvers()
  waiting.set(current)
  return current.promise
}

/** The person has signed in again. */
export function signedInAgain(): void {
  waiting.get()?.resolve()
  waiting.set(undefined)
}

/** Whether the person signs in to go on with what the tab shows. */
export function isSigningInAgain(): boolean {
  return waiting.get() !== undefined
}

/** Whether calls wait for the person. */
export function useMustSignInAgain(): boolean {
  return useStore(waiting) !== undefined
}
