/** The processor time of a piece of work and its workers, in milliseconds: other programs do not lengthen it. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * The least processor time of up to five tries, which end at the first within `limitMs`. One try alone may contain the
 * collection of the garbage that other tests left.
 */
export async function leastProcessorMs(work: () => unknown, limitMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5 && least >= limitMs; tries++) least = Math.min(least, await processorMs(work))
  return least
}
