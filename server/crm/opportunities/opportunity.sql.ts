import type { OpportunityStatus } from '#contract/crm/opportunities.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { pagedList } from '../paged-list.sql.ts'
import { allOpportunityColumns, type OpportunityRow, opportunityColumns } from './opportunity.row.ts'

const names = Object.keys(opportunityColumns)
const typed = Object.entries(opportunityColumns).map(([name, type]) => `${name} ${type}`)
const inputRow = `jsonb_to_record($2::jsonb) as r(${typed.join(', ')})`
const insert = sql<OpportunityRow, [row: string]>(`
  insert into crm_opportunity as o (organization_id, ${names.join(', ')})
  select $1, ${names.map(name => `r.${name}`).join(', ')} from ${inputRow}
  returning ${allOpportunityColumns}`)
const update = sql<OpportunityRow, [row: string]>(`
  update crm_opportunity o set ${names
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, updated_at = now(), closed_at = case when r.status <> 'OPEN' then now() end
  from ${inputRow} where o.organization_id = $1 and o.id = r.id
  returning ${allOpportunityColumns}`)

export async function insertOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return (await tx.first(insert, JSON.stringify(opportunity)))!
}

/** Updates an opportunity that this transaction has locked. */
export async function setOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return (await tx.first(update, JSON.stringify(opportunity)))!
}

/**
 * A page of opportunities, newest first, and their total. Index crm_opportunity_recent, crm_opportunity_status or
 * crm_opportunity_of.
 */
export const listOpportunities = pagedList<
  OpportunityRow,
  [status: OpportunityStatus | null, clientId: string | null]
>(
  {
    columns: allOpportunityColumns,
    from: 'from crm_opportunity o where o.organization_id = $1',
    order: 'o.created_at desc, o.id desc',
  },
  [],
  ['o.status = $2', 'o.client_id = $3'],
)
