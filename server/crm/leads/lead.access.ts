import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { allLeadColumns, type LeadRow } from './lead.row.ts'

const select = sql<LeadRow, { id: string }>(
  `select ${allLeadColumns} from lead l where l.organization_id = $organization and l.id = $id and l.erased_at is null`,
)
const lock = sql<LeadRow, { ids: string[] }>(
  `select ${allLeadColumns} from lead l where l.organization_id = $organization and l.id = any($ids) and l.erased_at is null
   order by l.id for no key update`,
)

/** A lead of the organization, unless it was erased. Refuses LEAD_NOT_FOUND. */
export async function leadFor(db: Db, id: string): Promise<LeadRow> {
  return (await db.first(select, { id })) ?? fail('LEAD_NOT_FOUND')
}

/** The same, locked until the transaction ends. */
export async function lockLead(tx: Tx, id: string): Promise<LeadRow> {
  return (await lockLeads(tx, [id]))[0] ?? fail('LEAD_NOT_FOUND')
}

/** Locks the existing leads of a list in the order of their ids, which avoids deadlocks. */
export function lockLeads(tx: Tx, ids: readonly string[]): Promise<LeadRow[]> {
  return tx.rows(lock, { ids: [...ids] })
}
