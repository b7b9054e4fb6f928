import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * The only place that reads the machine's clock. Leases, quotas, cursors and expiry use database time instead,
 * so that a wrong clock on one node cannot hurt.
 */

/** Milliseconds since 1970, as this process sees it. */
export function nowMs(): number {
  return Date.now()
}

export function now(): Date {
  return new Date()
}

/** Milliseconds that only ever grow; for durations. */
export function monotonicMs(): number {
  return performance.now()
}

/** Timers are late by some milliseconds, and early by one. */
const timerMs = 4

/** Resolves at a moment of `monotonicMs`, as soon after it as this process gets to it. */
export async function waitUntil(atMs: number): Promise<void> {
  const timerLeftMs = atMs - monotonicMs() - timerMs
  if (timerLeftMs > 0) await setTimeout(timerLeftMs)
  while (monotonicMs() < atMs) await setImmediate()
}

/** The milliseconds of a time of the contract. A leap second, which `Date` does not know, is the moment after it. */
export function msOf(time: string): number {
  const isLeap = /:60(?=[.Zz+-])/.test(time)
  return Date.parse(isLeap ? time.replace(/:60(?=[.Zz+-])/, ':59') : time) + (isLeap ? 1_000 : 0)
}
