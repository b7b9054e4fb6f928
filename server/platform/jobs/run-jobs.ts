import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'
import type { Database } from '../data/database.ts'
import type { Signal } from '../events/signal.ts'
import { openWakeUpSignal, type WakeUpSignal } from '../events/wake-up-signal.ts'
import type { Log } from '../log.ts'
import { lookUp } from '../required.ts'
import { inTrace, type Traces } from '../traces.ts'
import type { Job } from './job.ts'
import type { CountRun } from './job-metrics.ts'
import { forgetOtherJobs, openJobRunRecorder } from './job-run.ts'

export type RunningJobs = {
  /** Starts no further run, and resolves when those in progress have ended. */
  close(): Promise<void>
}

type JobRunnerOptions = {
  database: Database
  log: Log
  traces: Traces | undefined
  countRun: CountRun | undefined
  /** Ends the pauses of jobs that begin when something changes. */
  signal: Pick<Signal, 'onChanged' | 'onReconnect'>
}

/** Runs each job now, and again after each pause. */
export function runJobs(
  jobs: readonly Job[],
  { database, log, traces, countRun, signal }: JobRunnerOptions,
): RunningJobs {
  const closing = new AbortController()
  const isClosing = () => closing.signal.aborted
  const wakeUps: WakeUpSignal[] = []
  const recorders = new Map(jobs.map(({ name }) => [name, openJobRunRecorder(name, database, log)]))
  let housekeeping = Promise.resolve()

  async function runOnce({ name, run }: Job): Promise<void> {
    if (isClosing()) return
    const startedAt = monotonicMs()
    let error: unknown
    // the trace marks the error; it is logged, counted and recorded here
    await inTrace(traces, { name: `job ${name}`, kind: 'internal' }, async () => {
      try {
        await run(isClosing)
      } catch (thrown) {
        error = thrown ?? new Error('unknown')
        log.warn({ err: error, job: name }, 'a maintenance job failed and will run again')
        throw error
      }
    }).catch(() => {})
    countRun?.(name, (monotonicMs() - startedAt) / 1000, error !== undefined)
    await lookUp(recorders, name)(error)
  }

  function inTurn(job: Job): Promise<void> {
    if (!job.isHousekeeping) return runOnce(job)
    const result = housekeeping.then(() => runOnce(job))
    housekeeping = result
    return result
  }

  async function repeat(job: Job): Promise<void> {
    const pause = pauseOf(job)
    while (!isClosing()) {
      await inTurn(job)
      await pause()
    }
  }

  function pauseOf({ everyMs, idleMs }: Job): () => Promise<void> {
    if (idleMs === undefined)
      return () => sleep(everyMs, undefined, { signal: closing.signal }).catch(() => {})
    const changed = openWakeUpSignal()
    wakeUps.push(changed)
    return async () => {
      await changed.rest(everyMs)
      // a change during the run or the rest ends the wait at once
      await changed.wait(idleMs - everyMs)
    }
  }

  const ringAll = () => {
    for (const one of wakeUps) one.ring()
  }
  void signal.onChanged(ringAll)
  signal.onReconnect(ringAll)

  const running = Promise.all([forgetOtherJobs([...recorders.keys()], database, log), ...jobs.map(repeat)])
  return {
    async close() {
      closing.abort()
      for (const one of wakeUps) one.stop()
      await running
      await Promise.all(jobs.map(({ idle }) => idle?.()))
    },
  }
}
