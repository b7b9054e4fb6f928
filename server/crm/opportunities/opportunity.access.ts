import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { allOpportunityColumns, type OpportunityRow } from './opportunity.row.ts'

const one = `select ${allOpportunityColumns} from crm_opportunity o where o.organization_id = $organization and o.id = $id`
const select = sql<OpportunityRow, { id: string }>(one)
const lock = sql<OpportunityRow, { id: string }>(`${one} for no key update`)

/** An opportunity of the organization. Refuses OPPORTUNITY_NOT_FOUND. */
export async function opportunityFor(db: Db, id: string): Promise<OpportunityRow> {
  return (await db.first(select, { id })) ?? fail('OPPORTUNITY_NOT_FOUND')
}

/** The same, locked until the transaction ends. */
export async function lockOpportunity(tx: Tx, id: string): Promise<OpportunityRow> {
  return (await tx.first(lock, { id })) ?? fail('OPPORTUNITY_NOT_FOUND')
}
