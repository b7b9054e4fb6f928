import { availableParallelism, loadavg } from 'node:os'

/**
 * How many times as long a step may take as on an idle machine: three times for each runnable program per processor.
 * The load is the mean of the last minute, and what other machines of the same host do is not in it.
 */
export function crowd(): number {
  const [load = 0] = loadavg()
  return 3 * Math.max(1, load / availableParallelism())
}

/** Milliseconds that only end what hangs: longer than anything takes on the busiest machine, shorter than the timeout of a test. */
export const hangsMs = 240_000
