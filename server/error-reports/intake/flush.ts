import { limits } from '#contract/limits.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Tx } from '#platform/data/database.ts'
import { isUnavailable } from '#platform/data/errors.ts'
import { recordEvents } from '#platform/events/audit.ts'
import type { Services } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { type Bundle, bundled, fitting, keyOf, type Report } from './report-bundle.ts'
import { announceCourse } from './intake.events.ts'
import { type GroupRow, lockForReports, lockMoreGroups, type SourceRow } from './intake.sql.ts'
import { type SampleWritten, type TicketWritten, type Writing, write } from './flush.sql.ts'
import type { KnownGroups } from './group-cache.ts'
import { sampleOf } from './sample.ts'
import { courseOf, type Group, lookForSpikes, type Settled, settle, usersOf } from './apply-reports.ts'
import { type Tallied, tallyChanges } from './group-count.ts'

export type Recorded = { hash: string; deduplicated: boolean }

/**
 * Writes reports of one organization in one transaction, and answers for each of them. Reports of the same error are
 * added up first: its group, its hour and its application cost one row each, however many there are. Groups that are
 * known are not read; when one of them was changed meanwhile, all are read and it is done again.
 */
export async function writeReports(
  { database, wakeUp }: Pick<Services, 'database' | 'wakeUp'>,
  organizationId: string,
  reports: readonly Report[],
  known: KnownGroups,
): Promise<Recorded[]> {
  const written = () =>
    database.transact(
      organizationId,
      tx => recordReports(tx, reports, known),
      tx => {
        if (tx.pending.events.length > 0) tx.pending.afterCommit.push(() => wakeUp?.changed())
        return recordEvents(tx)
      },
    )
  try {
    return await written()
  } catch (error) {
    if (isUnavailable(error)) throw error
    // what was known is given away: now it is read
    return written()
  }
}

/** The same inside a transaction. */
export async function recordReports(
  tx: Tx,
  reports: readonly Report[],
  known?: KnownGroups,
): Promise<Recorded[]> {
  const { all, sources, offsetMs, unlocked } = await settleAll(tx, bundled(reports), known)
  for (const one of all) announceCourse(tx, one)
  if (!(await write(tx, writingOf(all, sources, unlocked)))) throw new Error('An error is not as it was')
  if (known) tx.pending.afterCommit.push(() => known.keep(all, offsetMs))
  return answersTo(reports, all)
}

type SettledAll = {
  all: Settled[]
  sources: SourceRow[]
  offsetMs: number
  /** Applications that were not locked, because all their groups are known. */
  unlocked: string[]
}

async function settleAll(tx: Tx, bundles: Bundle[], known: KnownGroups | undefined): Promise<SettledAll> {
  const startMs = monotonicMs()
  const applicationIds = [...new Set(bundles.map(({ applicationId }) => applicationId))]
  const there = new Map<string, Group>()
  const users = new Map(bundles.map(bundle => [bundle, usersOf(bundle.reports)]))
  const unread: Bundle[] = []
  for (const bundle of bundles) {
    const group = known?.take(bundle, users.get(bundle)!)
    if (group) there.set(bundle.key, group)
    else unread.push(bundle)
  }
  const knownOffsetMs = known?.offsetMs()
  if (unread.length === 0 && knownOffsetMs !== undefined) {
    const all = bundles.map(bundle => settle(bundle, there.get(bundle.key), knownOffsetMs))
    await lookForSpikes(tx, all)
    return { all, sources: [], offsetMs: knownOffsetMs, unlocked: applicationIds }
  }

  const digests = unread.flatMap(({ applicationId, hash }, at) =>
    [...users.get(unread[at]!)!].map(digest => ({ applicationId, hash, digest })),
  )
  const { nowMs, sources, hours, groups, counted } = await lockForReports(tx, applicationIds, unread, digests)
  const remember = (row: GroupRow) => {
    const group = { row, course: courseOf(row), users: counted.get(row.id) ?? new Set<string>() }
    there.set(keyOf({ applicationId: row.application_id, hash: row.hash }), group)
  }
  groups.forEach(remember)
  const fit = fitting(bundles, ({ key }) => there.has(key), hours)
  const overflows = fit.filter(({ isOverflow }) => isOverflow)
  if (overflows.length > 0) (await lockMoreGroups(tx, overflows)).forEach(remember)
  const offsetMs = nowMs - startMs
  const all = fit.map(bundle => settle(bundle, there.get(bundle.key), offsetMs))
  await lookForSpikes(tx, all)
  return { all, sources, offsetMs, unlocked: [] }
}

function writingOf(
  all: readonly Settled[],
  sources: readonly SourceRow[],
  applicationIds: string[],
): Writing {
  const ends = new Map(sources.map(source => [source.application_id, source.ticket_on_regression]))
  const back = all.filter(
    ({ row, outcome }) => row.ticket_id !== null && outcome.reopened?.reason === 'REGRESSION',
  )
  return {
    applicationIds,
    groups: all.map(({ row, before, outcome }) => ({
      row,
      before,
      isReopened: outcome.reopened !== undefined,
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

/** The running hour stands in the group: an hour is written once, when it is over. */
function hoursOf({ row, outcome }: Settled) {
  return outcome.pastHours.map(({ hourMs, count }) => {
    return { errorId: row.id, hour: new Date(hourMs).toISOString(), count }
  })
}

/**
 * The last one of each slot, since a flush may bring more than are kept. In a storm the recent ones of a flush are
 * enough as they are a few: what is first or came back is always kept.
 */
function samplesOf(all: readonly Settled[]): SampleWritten[] {
  let recent = 0
  return all.flatMap(({ row, reports, occurrences, outcome }) => {
    if (outcome.samples.length === 0) return []
    const bySlot = new Map(outcome.samples.map(sample => [sample.slot, sample]))
    return [...bySlot.values()]
      .filter(({ kind }) => kind !== 'RECENT' || recent++ < limits.errorSamplesPerFlush)
      .map(({ at, kind, slot }) => ({
        errorId: row.id,
        slot,
        kind,
        at: new Date(occurrences[at]!.atMs).toISOString(),
        report: sampleOf(reports[at]!),
      }))
  })
}

function historyOf({ row, before, outcome, spike }: Settled) {
  const { reopened } = outcome
  if (before && !reopened && !spike) return []
  const entry = (action: string, at: string, note: string | null = null) => ({
    errorId: row.id,
    id: newId(),
    action,
    at,
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
  if (before && before.severity === row.severity && before.state === row.state) return []
  const now = { applicationId, module: row.module, severity: row.severity, state: row.state }
  if (!before) return [{ ...now, n: 1 }]
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
