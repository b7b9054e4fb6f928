/** Work that a worker repeats. Each area declares its own in its `jobs.ts`. */
export type Job = {
  /** In the log, the metrics, the traces and the health of the server; the dashboard has words for it in `job.words.ts`. */
  readonly name: string
  /** The pause after a run. */
  readonly everyMs: number
  /**
   * For work that a change begins: while no process reports a change, the pause goes on until there is one, at most this long. It also
   * bounds how late a run is whose signal was lost.
   */
  readonly idleMs?: number
  /** Nobody waits for it: one such job runs at a time, so that the others find database connections. */
  readonly isHousekeeping?: true
  /**
   * One run, which several workers may do at once. It returns early when the worker closes. An error ends the run, is
   * logged and counted, and waits for the next one.
   */
  readonly run: (isClosing: () => boolean) => Promise<unknown>
  /** Resolves when work has ended that a run started and did not wait for. */
  readonly idle?: () => Promise<unknown>
}

/** The pause of jobs for which nobody waits. */
export const housekeepingMs = 10 * 60_000
/** The pause of jobs that notify people. */
export const notificationMs = 5_000
/** The longest pause of jobs that begin when something changes. */
export const untilChangeMs = 5_000
/** Chunks of a deletion per run. */
export const maxChunks = 200

/** Repeats a step until it found nothing to do (0 or false), the worker closes, or it ran `most` times. */
export async function untilIdle(
  isClosing: () => boolean,
  step: () => Promise<number | boolean>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let round = 0; round < most && !isClosing(); round++) if (!(await step())) return
}

/** The same for steps that commit events: wakes the relay up after each. */
export function announceAll(
  isClosing: () => boolean,
  wakeUp: { changed(): void },
  announce: () => Promise<number>,
): Promise<void> {
  return untilIdle(isClosing, async () => {
    const announced = await announce()
    if (announced > 0) wakeUp.changed()
    return announced
  })
}

/** A job that deletes in chunks what has expired. */
export function deletion(name: string, deleteChunk: () => Promise<number | boolean>): Job {
  return {
    name,
    everyMs: housekeepingMs,
    isHousekeeping: true,
    run: isClosing => untilIdle(isClosing, deleteChunk, maxChunks),
  }
}
