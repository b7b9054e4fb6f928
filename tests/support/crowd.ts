import { availableParallelism, loadavg } from 'node:os'

/** How many programs want to run on each processor, at least one: where there are more, each waits for its turn. */
export function crowd(): number {
  return Math.max(1, loadavg()[0]! / availableParallelism())
}
