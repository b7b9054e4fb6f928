import { limits } from '#contract/limits.ts'
import { openBatches } from '#platform/batches.ts'
import type { Database } from '#platform/data/database.ts'
import { isUnavailable } from '#platform/data/errors.ts'
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
  /** Resolves when the queued reports are committed and the dropped ones counted. */
  settled(): Promise<void>
}

type QueuedReport = { organizationId: string; report: PendingReport }

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

/** The end of what the intake of this process has taken in, for a shutdown. */
export async function intakeSettled({ database }: Pick<Services, 'database'>): Promise<void> {
  await intakes.get(database)?.settled()
}

/**
 * Group commit: one flush per organization runs at a time, and reports that arrive meanwhile join the next one. A report is
 * answered when its flush is committed.
 */
function createIntake(services: IntakeServices): ReportIntake {
  const { database, log } = services
  const groupCache = createGroupCache()
  const batches = openBatches<QueuedReport, RecordedReport>({
    keyOf: ({ organizationId }) => organizationId,
    handle: (batch, organizationId) =>
      writeReports(
        services,
        organizationId,
        batch.map(({ report }) => report),
        groupCache,
      ),
    maxBatch,
    maxPending: limits.errorReportsWaiting,
    maxConcurrent: maxConcurrentFlushes,
    // clients that just got a reply are about to report again; a short wait lets the next flush aggregate more
    collectMs: (arrived, lastSize) =>
      lastSize > 1 && arrived < lastSize * minArrivedRatio ? flushPauseMs : 0,
    isOfOneItem(error) {
      if (isUnavailable(error)) return false
      log?.error({ err: error }, 'Writing a batch of error reports failed; writing its halves')
      return true
    },
  })
  const dropped = createDroppedCounter(database, log)

  return {
    allowance: createReportAllowance(database, services.errorReportLimit ?? defaultReportLimit),
    dropped,
    secretNames: createSecretNameCache(database),
    record: (organizationId, report) => batches.add({ organizationId, report }),
    async settled() {
      await Promise.all([batches.drained(), dropped.settled()])
    },
  }
}
