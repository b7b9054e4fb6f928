import type { Db, WideDb } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { type LeadRow, type PublicLeadRow, publicLeadColumns } from '../lead.row.ts'
import type { SyncPosition } from './sync-cursor.ts'

type SyncedRow = PublicLeadRow & Pick<LeadRow, 'erased_at'>
type SyncPageRow = { epoch: string | null } & (SyncedRow | { id: null })

// one statement, so that the leads are those of the epoch; index lead_sync
const page = (columns: string) =>
  sql<SyncPageRow, [ms: number, id: string, limit: number]>(`
  select (select c.epoch from lead_clock c where c.organization_id = $1) as epoch, p.*
  from (select) one left join lateral (
    select ${columns}, l.erased_at from lead l
    where l.organization_id = $1
      and (l.updated_at, l.id) > (timestamptz 'epoch' + $2::bigint * interval '1 millisecond', $3)
    order by l.updated_at, l.id limit $4
  ) p on true
  order by p.updated_at, p.id`)
const selectWithNotes = page(publicLeadColumns)
const select = page(publicLeadColumns.replace('l.notes', 'null::text as notes'))

/** Leads and tombstones after a place, in the order of their last change, and the epoch; null without a clock. */
export async function changesAfter(
  db: Db,
  { ms, id }: SyncPosition,
  limit: number,
  withNotes: boolean,
): Promise<{ epoch: string | null; leads: SyncedRow[] }> {
  const rows = await db.rows(withNotes ? selectWithNotes : select, ms, id, limit)
  return { epoch: rows[0]?.epoch ?? null, leads: rows.filter(row => row.id !== null) }
}

const renewEpochs = crossTenantSql<{ organization_id: string }>(
  'a backup that was restored is that of all organizations',
  'update lead_clock set epoch = gen_random_uuid() returning organization_id',
)

/**
 * Ends the cursors that were handed out until now: they answer 410 SYNC_CURSOR_EXPIRED, and their readers begin again. For
 * when a backup was restored: readers have seen changes then that are no more. Returns for how many organizations.
 */
export async function expireCursors(database: WideDb): Promise<number> {
  return (await database.rows(renewEpochs)).length
}
