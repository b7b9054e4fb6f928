import { limits } from '#contract/limits.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import { isUnavailable } from '#platform/data/errors.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { newId } from '#platform/ids.ts'
import { lookUp, required } from '#platform/required.ts'
import type { OutboxServices } from '#platform/services.ts'
import {
  applyReports,
  detectSpikes,
  type GroupUpdate,
  type LoadedGroup,
  lifecycleOf,
  usersOf,
} from './apply-reports.ts'
import { type FlushWrites, type NewTicket, type SampleInsert, writeFlush } from './flush.sql.ts'
import type { GroupCache } from './group-cache.ts'
import { type GroupCountChange, mergeCountChanges } from './group-count.ts'
import { emitErrorEvents } from './intake.events.ts'
import { type GroupRow, lockForReports, lockMoreGroups, type SourceRow } from './intake.sql.ts'
import {
  applyNewErrorLimits,
  bundleReports,
  groupKeyOf,
  type PendingReport,
  type ReportBundle,
} from './report-bundle.ts'
import { toSampleJson } from './sample.ts'

export type RecordedReport = { hash: string; deduplicated: boolean }

/**
 * Writes reports of one organization in one transaction and returns a result for each. Reports of the same error are
 * aggregated first, so that its group, its hour and its application cost one row each. Cached groups are not read; if
 * one of them has changed in the database, the transaction is repeated without the cache.
 */
export async function writeReports(
  { database, wakeUp }: OutboxServices,
  organizationId: string,
  reports: readonly PendingReport[],
  cache: GroupCache,
): Promise<RecordedReport[]> {
  const attempt = () =>
    database.transact(
      organizationId,
      tx => recordReports(tx, reports, cache),
      tx => {
        if (tx.pending.events.length > 0) tx.pending.afterCommit.push(() => wakeUp?.changed())
        return recordEvents(tx)
      },
    )
  try {
    return await attempt()
  } catch (error) {
    if (isUnavailable(error)) throw error
    // the cache gave its entries away, so the second attempt reads all groups
    return attempt()
  }
}

export async function recordReports(
  tx: Tx,
  reports: readonly PendingReport[],
  cache?: GroupCache,
): Promise<RecordedReport[]> {
  const { updates, sources, offsetMs, unlocked } = await applyAll(tx, bundleReports(reports), cache)
  for (const update of updates) emitErrorEvents(tx, update)
  if (!(await writeFlush(tx, flushWritesOf(updates, sources, unlocked))))
    throw new Error('A cached error group has changed in the database')
  if (cache) tx.pending.afterCommit.push(() => cache.put(updates, offsetMs))
  return repliesTo(reports, updates)
}

type AppliedReports = {
  updates: GroupUpdate[]
  sources: SourceRow[]
  offsetMs: number
  /** Applications that were not locked because all groups were cached. */
  unlocked: string[]
}

async function applyAll(
  tx: Tx,
  bundles: ReportBundle[],
  cache: GroupCache | undefined,
): Promise<AppliedReports> {
  const startMs = monotonicMs()
  const applicationIds = [...new Set(bundles.map(({ applicationId }) => applicationId))]
  const groupsByKey = new Map<string, LoadedGroup>()
  const users = new Map(bundles.map(bundle => [bundle, usersOf(bundle.reports)]))
  const uncached: ReportBundle[] = []
  for (const bundle of bundles) {
    const group = cache?.take(bundle, lookUp(users, bundle))
    if (group) groupsByKey.set(bundle.key, group)
    else uncached.push(bundle)
  }
  const cachedOffsetMs = cache?.offsetMs()
  if (uncached.length === 0 && cachedOffsetMs !== undefined) {
    const updates = bundles.map(bundle => applyReports(bundle, groupsByKey.get(bundle.key), cachedOffsetMs))
    await detectSpikes(tx, updates)
    return { updates, sources: [], offsetMs: cachedOffsetMs, unlocked: applicationIds }
  }

  const digests = uncached.flatMap(bundle => {
    const { applicationId, hash } = bundle
    return Array.from(lookUp(users, bundle), digest => ({ applicationId, hash, digest }))
  })
  const { nowMs, sources, hours, groups, counted } = await lockForReports(
    tx,
    applicationIds,
    uncached,
    digests,
  )
  const addGroup = (row: GroupRow) => {
    const group = { row, lifecycle: lifecycleOf(row), users: counted.get(row.id) ?? new Set<string>() }
    groupsByKey.set(groupKeyOf({ applicationId: row.application_id, hash: row.hash }), group)
  }
  groups.forEach(addGroup)
  const accepted = applyNewErrorLimits(bundles, ({ key }) => groupsByKey.has(key), hours)
  const overflows = accepted.filter(({ isOverflow }) => isOverflow)
  if (overflows.length > 0) (await lockMoreGroups(tx, overflows)).forEach(addGroup)
  const offsetMs = nowMs - startMs
  const updates = accepted.map(bundle => applyReports(bundle, groupsByKey.get(bundle.key), offsetMs))
  await detectSpikes(tx, updates)
  return { updates, sources, offsetMs, unlocked: [] }
}

function flushWritesOf(
  updates: readonly GroupUpdate[],
  sources: readonly SourceRow[],
  applicationIds: string[],
): FlushWrites {
  const ticketPolicies = new Map(sources.map(source => [source.application_id, source.ticket_on_regression]))
  const regressed = updates.filter(
    ({ row, result }) => row.ticket_id !== null && result.reopened?.reason === 'REGRESSION',
  )
  return {
    applicationIds,
    groups: updates.map(({ row, before, result }) => ({
      row,
      before,
      isReopened: result.reopened !== undefined,
    })),
    hours: updates.flatMap(hoursOf),
    users: updates.flatMap(({ row, users }) => users.map(digest => ({ errorId: row.id, digest }))),
    samples: samplesOf(updates),
    history: updates.flatMap(historyOf),
    intake: intakeCountsOf(updates),
    countChanges: mergeCountChanges(updates.flatMap(countChangesOf)),
    reopenedTickets: regressed
      .filter(({ applicationId }) => ticketPolicies.get(applicationId) === 'REOPEN')
      .map(({ row }) => ({
        ticketId: required(row.ticket_id, 'the ticket of an error'),
        historyId: newId(),
      })),
    newTickets: regressed
      .filter(({ applicationId }) => ticketPolicies.get(applicationId) === 'NEW')
      .map(newTicketOf),
  }
}

/** The current hour is stored in the group; an hour gets its own row once it is over. */
function hoursOf({ row, result }: GroupUpdate) {
  return result.pastHours.map(({ hourMs, count }) => {
    return { errorId: row.id, hour: new Date(hourMs).toISOString(), count }
  })
}

/**
 * The last sample of each slot, because a flush may contain more samples than slots. First and regression samples are
 * always stored; recent ones only up to limits.errorSamplesPerFlush.
 */
function samplesOf(updates: readonly GroupUpdate[]): SampleInsert[] {
  let recent = 0
  return updates.flatMap(({ row, reports, occurrences, result }) => {
    if (result.samples.length === 0) return []
    const bySlot = new Map(result.samples.map(sample => [sample.slot, sample]))
    return [...bySlot.values()]
      .filter(({ kind }) => kind !== 'RECENT' || recent++ < limits.errorSamplesPerFlush)
      .map(({ at: index, kind, slot }) => ({
        errorId: row.id,
        slot,
        kind,
        at: new Date(required(occurrences[index], 'the occurrence of a sample').atMs).toISOString(),
        report: toSampleJson(required(reports[index], 'the report of a sample')),
      }))
  })
}

function historyOf({ row, before, result, spike }: GroupUpdate) {
  const { reopened } = result
  if (before && !reopened && !spike) return []
  const entry = (action: string, occurredAt: string, note: string | null = null) => ({
    errorId: row.id,
    id: newId(),
    action,
    at: occurredAt,
    note,
  })
  return [
    ...(before ? [] : [entry('REPORTED', row.first_occurrence)]),
    ...(reopened
      ? [
          entry(
            reopened.reason === 'REGRESSION' ? 'REGRESSED' : 'SILENCE_ENDED',
            new Date(reopened.atMs).toISOString(),
          ),
        ]
      : []),
    ...(spike ? [entry('SPIKED', row.last_occurrence, `${spike.observed} in five minutes`)] : []),
  ]
}

function intakeCountsOf(updates: readonly GroupUpdate[]) {
  const byApplication = new Map<
    string,
    { applicationId: string; accepted: number; newErrors: number; overflows: number }
  >()
  for (const { applicationId, reports, before, isOverflow } of updates) {
    const counts = byApplication.get(applicationId) ?? {
      applicationId,
      accepted: 0,
      newErrors: 0,
      overflows: 0,
    }
    byApplication.set(applicationId, counts)
    counts.accepted += reports.length
    if (!before) counts[isOverflow ? 'overflows' : 'newErrors']++
  }
  return [...byApplication.values()]
}

function countChangesOf({ applicationId, row, before }: GroupUpdate): GroupCountChange[] {
  if (before && before.severity === row.severity && before.state === row.state) return []
  const now = { applicationId, module: row.module, severity: row.severity, state: row.state }
  if (!before) return [{ ...now, change: 1 }]
  return [
    { applicationId, module: before.module, severity: before.severity, state: before.state, change: -1 },
    { ...now, change: 1 },
  ]
}

function newTicketOf({ applicationId, row }: GroupUpdate): NewTicket {
  return {
    applicationId,
    errorId: row.id,
    ticketId: newId(),
    historyId: newId(),
    title: `Came back: ${row.message}`.slice(0, 255).toWellFormed(),
  }
}

function repliesTo(reports: readonly PendingReport[], updates: readonly GroupUpdate[]): RecordedReport[] {
  const replies = new Map<PendingReport, RecordedReport>()
  for (const { row, before, reports: ownReports } of updates) {
    for (const [index, report] of ownReports.entries())
      replies.set(report, { hash: row.hash, deduplicated: before !== undefined || index > 0 })
  }
  return reports.map(report => lookUp(replies, report))
}
