import { availableParallelism, loadavg } from 'node:os'

/** The number of runnable programs per processor, at least one: with more, each waits for its turn. */
export function crowd(): number {
  return Math.max(1, loadavg()[0]! / availableParallelism())
}
