import { setTimeout as sleep } from 'node:timers/promises'

const shortestWaitMs = 50
const longestWaitMs = 2_000

/**
 * Connects again whenever the connection is lost, until `stop`. `use` connects, returns when the connection was lost, and throws
 * if it could not be opened or used; the waits grow while it throws.
 */
export async function keepConnected(
  use: () => Promise<void>,
  { stop, onFailure }: { stop: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  let waitMs = shortestWaitMs
  while (!stop.aborted) {
    const isLost = await use().then(
      () => true,
      error => {
        if (!stop.aborted) onFailure(error)
        return false
      },
    )
    if (isLost) waitMs = shortestWaitMs
    // all processes lose a restarted server together and should not reconnect together
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: stop }).catch(() => {})
    if (!isLost) waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/** Checks every `everyMs` whether the connection answers, until it does not, or until `ended`. */
export async function whileAnswering(
  answers: () => Promise<boolean>,
  { everyMs, ended }: { everyMs: number; ended: AbortSignal },
): Promise<void> {
  do {
    // not Promise.race with the end: each race would leave something behind in a promise that lives as long as the connection
    await sleep(everyMs, undefined, { signal: ended }).catch(() => {})
  } while (!ended.aborted && (await answers()))
}
