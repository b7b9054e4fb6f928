import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { isUnavailable } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import type { Services } from '#platform/http/operation.ts'
import { createSecretNameCache, type SecretNameCache } from '../secret-names/secret-name-cache.ts'
import { createReportAllowance, type ReportAllowance } from './allowance.ts'
import { createDroppedCounter, type DroppedCounter } from './dropped-counter.ts'
import { type RecordedReport, writeReports } from './flush.ts'
import { createGroupCache } from './group-cache.ts'
import type { PendingReport } from './report-bundle.ts'

/** Where the reports of a process come together. */
export type ReportIntake = {
  readonly allowance: ReportAllowance
  readonly dropped: DroppedCounter
  readonly secretNames: SecretNameCache
  /** Resolves when the report is committed. Refuses UNAVAILABLE when too many wait. */
  record(organizationId: string, report: PendingReport): Promise<RecordedReport>
}

type QueuedReport = {
  report: PendingReport
  resolve(recorded: RecordedReport): void
  reject(error: unknown): void
}

/** Flushes of different organizations that are under way at a time: one cannot hold up the others. */
const maxConcurrentFlushes = 3
/** Reports of one transaction, so that none takes long. */
const maxBatch = 2_000

/** Between two flushes of an organization when more than one report came at a time, and few of the next are there. */
const flushPauseMs = 4
/** They are not few when there are so many for each that was written: while these are written, others arrive. */
const minArrivedRatio = 1 / 8

const intakes = new WeakMap<Database, ReportIntake>()

/** The intake of this process. */
export function intakeOf(services: Services): ReportIntake {
  const existing = intakes.get(services.database)
  if (existing) return existing
  const intake = createIntake(services)
  intakes.set(services.database, intake)
  return intake
}

/**
 * Group commit: of each organization one flush is under way, and what arrives meanwhile goes with the next one. Under
 * load the flushes grow instead of becoming more; a report is answered when its flush is committed.
 */
function createIntake(services: Services): ReportIntake {
  const { database, log } = services
  const known = createGroupCache()
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

  /** Those who were just answered have more to say: a flush that waits for them has more to add up. */
  function pauseBeforeFlush(organizationId: string): void {
    paused.add(organizationId)
    setTimeout(() => {
      paused.delete(organizationId)
      if (queues.has(organizationId)) ready.push(organizationId)
      startFlushes()
    }, flushPauseMs)
  }

  async function flush(organizationId: string): Promise<number> {
    const queue = queues.get(organizationId)!
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
        known,
      )
      for (const [index, { resolve }] of batch.entries()) resolve(recorded[index]!)
    } catch (error) {
      // one that cannot be written must not take the others with it
      if (batch.length > 1 && !isUnavailable(error)) {
        log?.error({ err: error, organizationId, reports: batch.length }, 'reports are written one by one')
        for (const one of batch) await write(organizationId, [one])
      } else for (const { reject } of batch) reject(error)
    }
  }

  return {
    allowance: createReportAllowance(database, services.errorReportLimit ?? defaultLimit),
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

const defaultLimit = { perHour: limits.errorReportsPerHour, burst: limits.errorReportsBurst }
