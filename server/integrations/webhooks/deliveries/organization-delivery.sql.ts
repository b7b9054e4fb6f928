import type { Delivery } from '#contract/integrations/deliveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { lastOf } from '#platform/required.ts'
import { type DeliveryFilter, deliveryColumns, deliverySources, sourceOf } from './delivery.sql.ts'

/** A delivery with the application that it is for. */
export type OrganizationDeliveryRow = Delivery & { applicationId: string }

type Args = {
  applicationIds: readonly string[]
  status: string | null
  from: string
  to: string
  limit: number
  event: string | null
  scanLimit: number
}
// the newest rows of each application, from the indexes that its own list uses
const sources = deliverySources('a.id', '$scanLimit')
const scan = (source: string) =>
  sql<(OrganizationDeliveryRow | { id: null }) & { scanEnd: string | null }, Args>(`
  with scanned as materialized (
    select s.*, a.id as "applicationId" from unnest($applicationIds::text[]) as a (id)
    cross join lateral (${source}) s),
  horizon as (
    select max(e.id) as id from (
      select min(l.id) as id from scanned l group by l."applicationId" having count(*) >= $scanLimit) e)
  select p.*, h.id as "scanEnd" from horizon h
  left join lateral (
    select * from scanned l
    where ($status::text is null or l.status = $status) and ($event::text is null or l.event = $event)
      and (h.id is null or l.id >= h.id)
    order by l.id desc limit $limit) p on true
  order by p.id desc`)
const scans = {
  all: scan(sources.all),
  problem: scan(sources.problem),
  pending: scan(sources.pending),
}

// the primary key, once for each id and application: `limit 1` keeps the planner from reading a period instead
const selectByIds = sql<OrganizationDeliveryRow, Omit<Args, 'scanLimit'> & { ids: readonly string[] }>(`
  select d.* from unnest($ids::text[]) as i (id) cross join lateral (
    select ${deliveryColumns}, w.application_id as "applicationId" from webhook_delivery w
    where w.organization_id = $organization and w.application_id = any($applicationIds::text[])
      and w.id = i.id limit 1) d
  where d.id >= $from and d.id < $to and ($status::text is null or d.status = $status)
    and ($event::text is null or d.event = $event)
  order by d.id desc limit $limit`)

/**
 * A page of the deliveries of several applications, newest first. Reads a limited number of rows of each. Where one
 * application has more, the page ends with the last row that was read of it, and the cursor continues there.
 */
export async function pageOfApplications(
  db: Db,
  applicationIds: readonly string[],
  { status, event, idRange: { from, to }, ids, limit }: DeliveryFilter,
): Promise<{ rows: OrganizationDeliveryRow[]; nextBefore: string | null }> {
  const isIndexed = event === null && status !== 'DELIVERED'
  const share = Math.floor(limits.deliveriesScanned / Math.max(1, applicationIds.length))
  const scanLimit = isIndexed ? limit + 1 : Math.max(limits.deliveriesScannedEach, share)
  const args: Args = { applicationIds, status, from, to, limit, event, scanLimit }
  const cursorOf = (rows: OrganizationDeliveryRow[]) => (rows.length === limit ? lastOf(rows).id : null)
  if (ids !== null) {
    const rows = await db.rows(selectByIds, { ...args, ids })
    return { rows, nextBefore: cursorOf(rows) }
  }
  const found = await db.rows(scans[sourceOf(status)], args)
  const rows = found.flatMap(({ scanEnd: _, ...row }) => (row.id === null ? [] : [row]))
  return { rows, nextBefore: cursorOf(rows) ?? found[0]?.scanEnd ?? null }
}
