import { limits } from '#contract/limits.ts'
import { recordEvents } from '#platform/audit.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { announceCourse } from './announce.ts'
import { bundled, fitting, keyOf, type Report } from './bundle.ts'
import { sampleOf } from './sample.ts'
import { lookForSpikes, type Settled, settle, usersOf } from './settle.ts'
import { type GroupRow, lockForReports, lockMoreGroups, type SourceRow } from './store.ts'
import { type Tallied, tallyChanges } from './tally.ts'
import { type SampleWritten, type TicketWritten, type Writing, write } from './writes/store.ts'

export type Recorded = { hash: string; deduplicated: boolean }

/**
 * Writes reports of one organization in one transaction, and answers for each of them. Reports of the same error are
 * added up first: its group, its hour and its application cost one row each, however many there are. Two round trips,
 * the second of which commits.
 */
export function writeReports(
  database: Database,
  organizationId: string,
  reports: readonly Report[],
): Promise<Recorded[]> {
  return database.transact(organizationId, tx => recordReports(tx, reports), recordEvents)
}

/** The same inside a transaction. */
export async function recordReports(tx: Tx, reports: readonly Report[]): Promise<Recorded[]> {
  const { all, sources } = await settleAll(tx, reports)
  for (const one of all) announceCourse(tx, one)
  await write(tx, writingOf(all, sources))
  return answersTo(reports, all)
}

async function settleAll(
  tx: Tx,
  reports: readonly Report[],
): Promise<{ all: Settled[]; sources: SourceRow[] }> {
  const startMs = monotonicMs()
  const bundles = bundled(reports)
  const applicationIds = [...new Set(bundles.map(({ applicationId }) => applicationId))]
  const users = bundles.flatMap(({ applicationId, hash, reports: own }) =>
    [...usersOf(own)].map(digest => ({ applicationId, hash, digest })),
  )
  const { nowMs, sources, hours, groups, known } = await lockForReports(tx, applicationIds, bundles, users)
  const there = new Map<string, GroupRow>()
  const remember = (row: GroupRow) =>
    there.set(keyOf({ applicationId: row.application_id, hash: row.hash }), row)
  groups.forEach(remember)
  const fit = fitting(bundles, bundle => there.has(keyOf(bundle)), hours)
  const overflows = fit.filter(({ isOverflow }) => isOverflow)
  if (overflows.length > 0) (await lockMoreGroups(tx, overflows)).forEach(remember)
  const counted = new Set(known.map(({ error_id, user_digest }) => `${error_id}/${user_digest}`))
  const all = fit.map(bundle => settle(bundle, there.get(keyOf(bundle)), nowMs - startMs, counted))
  await lookForSpikes(tx, all)
  return { all, sources }
}

function writingOf(all: readonly Settled[], sources: readonly SourceRow[]): Writing {
  const ends = new Map(sources.map(source => [source.application_id, source.ticket_on_regression]))
  const back = all.filter(
    ({ row, outcome }) => row.ticket_id !== null && outcome.reopened?.reason === 'REGRESSION',
  )
  return {
    groups: all.map(({ row, before, outcome }) => ({
      ...{ row, isNew: before === undefined, isReopened: outcome.reopened !== undefined },
      isChanged:
        before?.message !== row.message || before.file !== row.file || before.function !== row.function,
    })),
    hours: all.flatMap(hoursOf),
    users: all.flatMap(({ row, users }) => users.map(digest => ({ errorId: row.id, digest }))),
    samples: samplesOf(all),
    history: all.flatMap(historyOf),
    intake: intakeOf(all),
    tally: tallyChanges(all.flatMap(changeOf)),
    reopenedTickets: back
      .filter(({ applicationId }) => ends.get(applicationId) === 'REOPEN')
      .map(({ row }) => ({ ticketId: row.ticket_id!, historyId: newId() })),
    newTickets: back.filter(({ applicationId }) => ends.get(applicationId) === 'NEW').map(ticketOf),
  }
}

function hoursOf({ row, occurrences }: Settled) {
  const counts = new Map<number, number>()
  for (const { atMs, occurrences: times } of occurrences) {
    const hour = Math.floor(atMs / 3_600_000) * 3_600_000
    counts.set(hour, (counts.get(hour) ?? 0) + times)
  }
  return [...counts].map(([hour, count]) => ({ errorId: row.id, hour: new Date(hour).toISOString(), count }))
}

/**
 * The last one of each slot, since a flush may bring more than are kept. In a storm the recent ones of a flush are
 * enough as they are a few: what is first or came back is always kept.
 */
function samplesOf(all: readonly Settled[]): SampleWritten[] {
  let recent = 0
  return all.flatMap(({ row, reports, occurrences, outcome }) => {
    const bySlot = new Map(outcome.samples.map(sample => [sample.slot, sample]))
    return [...bySlot.values()]
      .filter(({ kind }) => kind !== 'RECENT' || recent++ < limits.errorSamplesPerFlush)
      .map(({ at, kind, slot }) => ({
        ...{ errorId: row.id, slot, kind, at: new Date(occurrences[at]!.atMs).toISOString() },
        report: sampleOf(reports[at]!),
      }))
  })
}

function historyOf({ row, before, outcome, spike }: Settled) {
  const entry = (action: string, at: string, note: string | null = null) => ({
    errorId: row.id,
    id: newId(),
    action,
    at,
    note,
  })
  const { reopened } = outcome
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

function intakeOf(all: readonly Settled[]) {
  const byApplication = new Map<
    string,
    { applicationId: string; accepted: number; newErrors: number; overflows: number }
  >()
  for (const { applicationId, reports, before, isOverflow } of all) {
    const one = byApplication.get(applicationId) ?? { applicationId, accepted: 0, newErrors: 0, overflows: 0 }
    byApplication.set(applicationId, one)
    one.accepted += reports.length
    if (!before) one[isOverflow ? 'overflows' : 'newErrors']++
  }
  return [...byApplication.values()]
}

function changeOf({ applicationId, row, before }: Settled): Tallied[] {
  const now = { applicationId, module: row.module, severity: row.severity, state: row.state }
  if (!before) return [{ ...now, n: 1 }]
  if (before.severity === row.severity && before.state === row.state) return []
  return [
    { applicationId, module: before.module, severity: before.severity, state: before.state, n: -1 },
    { ...now, n: 1 },
  ]
}

function ticketOf({ applicationId, row }: Settled): TicketWritten {
  return {
    applicationId,
    errorId: row.id,
    ticketId: newId(),
    historyId: newId(),
    title: `Came back: ${row.message}`.slice(0, 255).toWellFormed(),
  }
}

function answersTo(reports: readonly Report[], all: readonly Settled[]): Recorded[] {
  const answers = new Map<Report, Recorded>()
  for (const { row, before, reports: own } of all) {
    for (const [at, report] of own.entries())
      answers.set(report, { hash: row.hash, deduplicated: before !== undefined || at > 0 })
  }
  return reports.map(report => answers.get(report)!)
}
