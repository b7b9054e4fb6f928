import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { isUnavailable } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import { lookUp, required } from '#platform/required.ts'
import type { OutboxServices, Services } from '#platform/services.ts'
import { createSecretNameCache, type SecretNameCache } from '../secret-names/secret-name-cache.ts'
import { createReportAllowance, type ReportAllowance } from './allowance.ts'
import { createDroppedCounter, type DroppedCounter } from './dropped-counter.ts'
import { type RecordedReport, writeReports } from './flush.ts'
import { createGroupCache } from './group-cache.ts'
import type { PendingReport } from './report-bundle.ts'
import { defaultReportLimit } from './report-limit.ts'

/** Collects the reports of a process. */
export type ReportIntake = {
  readonly allowance: ReportAllowance
  readonly dropped: DroppedCounter
  readonly secretNames: SecretNameCache
  /** Resolves when the report is committed. Refuses UNAVAILABLE if too many reports are queued. */
  record(organizationId: string, report: PendingReport): Promise<RecordedReport>
}

type QueuedReport = {
  report: PendingReport
  resolve(recorded: RecordedReport): void
  reject(error: unknown): void
}

/** Flushes of different organizations run concurrently, so that one organization cannot block the others. */
const maxConcurrentFlushes = 3
/** Reports per transaction, which bounds its duration. */
const maxBatch = 2_000

/** The pause between two flushes of an organization under load, while few new reports have arrived. */
const flushPauseMs = 4
/** Skips the pause if this share of the last batch has already arrived again. */
const minArrivedRatio = 1 / 8

const intakes = new WeakMap<Database, ReportIntake>()

type IntakeServices = OutboxServices & Pick<Services, 'log' | 'errorReportLimit'>

/** The intake of this process for a database. */
export function intakeOf(services: IntakeServices): ReportIntake {
  const existing = intakes.get(services.database)
  if (existing) return existing
  const intake = createIntake(services)
  intakes.set(services.database, intake)
  return intake
}

/**
 * Group commit: one flush per organization runs at a time, and reports that arrive meanwhile join the next one. Under load
 * flushes grow larger instead of more frequent. A report is answered when its flush is committed.
 */
function createIntake(services: IntakeServices): ReportIntake {
  const { database, log } = services
  const groupCache = createGroupCache()
  const queues = new Map<string, QueuedReport[]>()
  const ready: string[] = []
  const busy = new Set<string>()
  const paused = new Set<string>()
  let queued = 0

  function startFlushes(): void {
    while (busy.size < maxConcurrentFlushes) {
      const organizationId = ready.shift()
      if (organizationId === undefined) return
      busy.add(organizationId)
      void flush(organizationId).then(size => {
        busy.delete(organizationId)
        const arrived = queues.get(organizationId)?.length ?? 0
        if (size > 1 && arrived < size * minArrivedRatio) pauseBeforeFlush(organizationId)
        else if (arrived > 0) ready.push(organizationId)
        startFlushes()
      })
    }
  }

  /** Clients that just got a reply are about to report again; a short wait lets the next flush aggregate more. */
  function pauseBeforeFlush(organizationId: string): void {
    paused.add(organizationId)
    setTimeout(() => {
      paused.delete(organizationId)
      if (queues.has(organizationId)) ready.push(organizationId)
      startFlushes()
    }, flushPauseMs)
  }

  async function flush(organizationId: string): Promise<number> {
    const queue = lookUp(queues, organizationId)
    const batch = queue.splice(0, maxBatch)
    if (queue.length === 0) queues.delete(organizationId)
    await write(organizationId, batch)
    queued -= batch.length
    return batch.length
  }

  async function write(organizationId: string, batch: QueuedReport[]): Promise<void> {
    try {
      const recorded = await writeReports(
        services,
        organizationId,
        batch.map(({ report }) => report),
        groupCache,
      )
      for (const [index, { resolve }] of batch.entries())
        resolve(required(recorded[index], 'the result of a report'))
    } catch (error) {
      // one invalid report must not fail the others
      if (batch.length > 1 && !isUnavailable(error)) {
        log?.error(
          { err: error, organizationId, reports: batch.length },
          'Writing a batch of error reports failed; writing them one by one',
        )
        for (const item of batch) await write(organizationId, [item])
      } else for (const { reject } of batch) reject(error)
    }
  }

  return {
    allowance: createReportAllowance(database, services.errorReportLimit ?? defaultReportLimit),
    dropped: createDroppedCounter(database, log),
    secretNames: createSecretNameCache(database),
    record(organizationId, report) {
      if (queued >= limits.errorReportsWaiting) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
      queued++
      return new Promise((resolve, reject) => {
        const queue = queues.get(organizationId)
        if (queue) queue.push({ report, resolve, reject })
        else {
          queues.set(organizationId, [{ report, resolve, reject }])
          if (!busy.has(organizationId) && !paused.has(organizationId)) ready.push(organizationId)
          startFlushes()
        }
      })
    },
  }
}
