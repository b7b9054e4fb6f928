import { useSyncExternalStore } from 'react'

/**
 * When a session ends while somebody works, calls wait here until the person has signed in again in a dialog.
 * Then they go on, so nothing that was typed is lost.
 */
let waiting: PromiseWithResolvers<void> | undefined
const listeners = new Set<() => void>()

/** Opens the dialog, and returns when the person has signed in again. */
export function untilSignedInAgain(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers()
    notify()
  }
  return waiting.promise
}

/** The person has signed in again. */
export function signedInAgain(): void {
  waiting?.resolve()
  waiting = undefined
  notify()
}

/** Whether the person signs in to go on with what the tab shows. */
export function isSigningInAgain(): boolean {
  return waiting !== undefined
}

/** Whether calls wait for the person. */
export function useMustSignInAgain(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined)
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
