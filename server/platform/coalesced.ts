import { setTimeout as sleep } from 'node:timers/promises'

/** Many calls that become one run. The caller keeps what has gathered since the last run. */
export type CoalescedRun = {
  /** Asks for a run and returns at once. */
  (): void
  /** Resolves when every run that was asked for has ended. */
  settled(): Promise<void>
}

/**
 * Calls `run` at once for the first call, and once more for all calls during the run or the pause after it. `run` must not
 * reject. For work that many calls share; where each call has a result of its own, see `openBatches`.
 */
export function coalesced(run: () => Promise<void>, pauseMs: number): CoalescedRun {
  let running: Promise<void> | undefined
  let isWanted = false

  async function repeat(): Promise<void> {
    do {
      isWanted = false
      await run()
      if (pauseMs > 0) await sleep(pauseMs)
    } while (isWanted)
    running = undefined
  }
  function ask(): void {
    isWanted = true
    running ??= repeat()
  }
  ask.settled = async () => {
    while (running) await running
  }
  return ask
}
