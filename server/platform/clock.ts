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
