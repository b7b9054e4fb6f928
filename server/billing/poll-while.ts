import { setTimeout as sleep } from 'node:timers/promises'

const [firstPauseMs, longestPauseMs] = [25, 500]

/** Reads a row again at growing intervals of up to half a second, for as long as `isRunning`. */
export async function pollWhile<Seen>(
  seen: Seen,
  isRunning: (seen: Seen) => boolean,
  look: () => Promise<Seen>,
): Promise<Seen> {
  for (let pauseMs = firstPauseMs; isRunning(seen); pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await sleep(pauseMs)
    seen = await look()
  }
  return seen
}
