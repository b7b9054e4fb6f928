import type { CrossTenantDb, Db } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { type LeadRow, type PublicLeadRow, publicLeadColumns } from '../lead.row.ts'
import type { SyncPosition } from './sync-cursor.ts'

type SyncedRow = PublicLeadRow & Pick<LeadRow, 'erased_at'>
type SyncPageRow = { epoch: string | null } & (SyncedRow | { id: null })

// one statement, so that leads and epoch agree; index lead_sync
const page = (columns: string) =>
  sql<SyncPageRow, { ms: number; id: string; limit: number }>(`
  select (select c.epoch from lead_clock c where c.organization_id = $organization) as epoch, p.*
  from (select) one left join lateral (
    select ${columns}, l.erased_at from lead l
    where l.organization_id = $organization
      and (l.updated_at, l.id) > (timestamptz 'epoch' + $ms::bigint * interval '1 millisecond', $id)
    order by l.updated_at, l.id limit $limit
  ) p on true
  order by p.updated_at, p.id`)
const selectWithNotes = page(publicLeadColumns)
const select = page(publicLeadColumns.replace('l.notes', 'null::text as notes'))

/** Leads and tombstones after a position, in the order of their last change, and the epoch; null before the first lead. */
export async function changesAfter(
  db: Db,
  { ms, id }: SyncPosition,
  limit: number,
  withNotes: boolean,
): Promise<{ epoch: string | null; leads: SyncedRow[] }> {
  const rows = await db.rows(withNotes ? selectWithNotes : select, { ms, id, limit })
  return { epoch: rows[0]?.epoch ?? null, leads: rows.filter(row => row.id !== null) }
}

const renewEpochs = crossTenantSql<{ organization_id: string }>(
  'a restored backup contains all organizations',
  'update lead_clock set epoch = (select gen_random_uuid()) returning organization_id',
)

/**
 * Expires all cursors: they answer 410 SYNC_CURSOR_EXPIRED, and readers start again. Needed after restoring a backup, because
 * readers may have seen changes that the backup does not contain. Returns the number of organizations.
 */
export async function expireCursors(database: CrossTenantDb): Promise<number> {
  return (await database.rows(renewEpochs)).length
}
