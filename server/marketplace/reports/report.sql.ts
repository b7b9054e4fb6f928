import { limits } from '#contract/limits.ts'
import type { CrossTenantDb, CrossTenantTx, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { reviewQueueReason } from '../review-queue/submission.access.ts'

export type ReportStatus = 'OPEN' | 'CONFIRMED' | 'DISMISSED'
/** A report as its sender sees it. */
export type OwnReportRow = { id: string; entry_id: string; status: ReportStatus; created_at: string }
/** A report as operators see it, without its sender. */
export type ReportRow = OwnReportRow & {
  entry_name: string
  reason: string
  note: string | null
  decided_at: string | null
}

// a second report returns the open row, even one that commits at the same time
const upsertReport = sql<OwnReportRow, { id: string; entryId: string; personId: string; reason: string }>(`
  insert into market_report as r (organization_id, id, entry_id, person_id, reason, status)
  values ($organization, $id, $entryId, $personId, $reason, 'OPEN')
  on conflict (organization_id, entry_id, person_id) where status = 'OPEN'
    do update set entry_id = excluded.entry_id
  returning r.id, r.entry_id, r.status, r.created_at`)

/** The open report of a person on an entry; created if there is none. */
export async function openReport(
  tx: Tx,
  report: { entryId: string; personId: string; reason: string },
): Promise<{ row: OwnReportRow; isNew: boolean }> {
  const id = newId()
  const row = await tx.one(upsertReport, {
    id,
    entryId: report.entryId,
    personId: report.personId,
    reason: report.reason,
  })
  return { row, isNew: row.id === id }
}

const columns = `r.id, r.entry_id, coalesce(l.name, '') as entry_name, r.reason, r.status, r.note, r.created_at,
  r.decided_at`

type Filters = { status: ReportStatus; entryId: string | null }
const filters = { entryId: 'r.entry_id = $entryId' }
const page = (direction: 'asc' | 'desc') =>
  withFilters<ReportRow, Filters & { limit: number; offset: number }>(
    filters,
    condition => `select ${columns} from (
       select r.* from market_report r where r.status = $status and ${condition}
       order by r.created_at ${direction}, r.id ${direction} limit $limit offset $offset) r
     left join market_listing l on l.entry_id = r.entry_id
     order by r.created_at ${direction}, r.id ${direction}`,
    text => crossTenantSql(reviewQueueReason, text),
  )
// index market_report_status, or market_report_entry for one entry
const oldestFirst = page('asc')
const newestFirst = page('desc')
const counted = withFilters<{ total: number }, Filters>(
  filters,
  condition => `select count(*)::int as total from (
     select 1 from market_report r where r.status = $status and ${condition} order by r.created_at, r.id
     limit ${limits.pageOffset + limits.pageLimit}) n`,
  text => crossTenantSql(reviewQueueReason, text),
)

/** One page of reports of a status with the total: open ones oldest first, decided ones newest first. */
export async function pageOfReports(
  db: CrossTenantDb,
  { status, entryId }: { status: ReportStatus; entryId: string | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ReportRow[]; total: number }> {
  const args = { status, entryId, limit, offset }
  const [rows, count] = await Promise.all([
    db.rows((status === 'OPEN' ? oldestFirst : newestFirst)(args), args),
    db.one(counted(args), args),
  ])
  return { rows, total: count.total }
}

// index market_report_id; of two concurrent decisions the second finds the report decided
const setDecided = crossTenantSql<
  never,
  { id: string; status: 'CONFIRMED' | 'DISMISSED'; note: string | null; operatorId: string }
>(
  reviewQueueReason,
  `update market_report r set status = $status, note = $note, decided_at = (select clock_timestamp()), decided_by = $operatorId
   where r.id = $id and r.status = 'OPEN' returning r.id`,
)
const selectReport = crossTenantSql<ReportRow, { id: string }>(
  reviewQueueReason,
  `select ${columns} from market_report r left join market_listing l on l.entry_id = r.entry_id where r.id = $id`,
)

/** Decides an open report. Undefined if there is no such report; `isNew` is false if it was already decided. */
export async function decideReport(
  crossTenant: CrossTenantTx,
  id: string,
  status: 'CONFIRMED' | 'DISMISSED',
  note: string | null,
  operatorId: string,
): Promise<{ row: ReportRow; isNew: boolean } | undefined> {
  const decided = await crossTenant.rows(setDecided, { id, status, note, operatorId })
  const row = await crossTenant.first(selectReport, { id })
  return row && { row, isNew: decided.length > 0 }
}
