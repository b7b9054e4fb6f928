import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * The only place that reads the machine's clock. Leases, limits, cursors and expiry use database time
 * instead, so that a wrong clock on one node does no harm.
 */

/** Milliseconds since 1970 by this process's clock. */
export function nowMs(): number {
  return Date.now()
}

export function now(): Date {
  return new Date()
}

/** Milliseconds that never decrease, for durations. */
export function monotonicMs(): number {
  return performance.now()
}

/** Timers may be some milliseconds late, and one early. */
const timerMs = 4

/** Resolves at a moment of `monotonicMs`, as precisely as this process can. */
export async function waitUntil(atMs: number): Promise<void> {
  const timerLeftMs = atMs - monotonicMs() - timerMs
  if (timerLeftMs > 0) await setTimeout(timerLeftMs)
  while (monotonicMs() < atMs) await setImmediate()
}

/**
 * The milliseconds of a time of the contract. A leap second, which `Date` does not support, counts as the
 * next second.
 */
export function msOf(time: string): number {
  const isLeap = /:60(?=[.Zz+-])/.test(time)
  return Date.parse(isLeap ? time.replace(/:60(?=[.Zz+-])/, ':59') : time) + (isLeap ? 1_000 : 0)
}
