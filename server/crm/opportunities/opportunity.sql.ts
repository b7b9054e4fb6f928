import type { OpportunityStatus } from '#contract/crm/opportunities.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { type ListSelection, pagedList, rowsByIds } from '../paged-list.sql.ts'
import { matchesAll, patternLines, recentSearch } from '../recent-search.sql.ts'
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

type Filters = { status: OpportunityStatus | null; clientId: string | null }
const source = {
  table: 'crm_opportunity',
  alias: 'o',
  columns: allOpportunityColumns,
  search: "(' ' || o.title_folded)",
}
// index crm_opportunity_recent, crm_opportunity_status or crm_opportunity_of
const newestOpportunities = pagedList<OpportunityRow, [status: string | null, clientId: string | null]>(
  {
    columns: allOpportunityColumns,
    from: 'from crm_opportunity o where o.organization_id = $1',
    order: 'o.created_at desc, o.id desc',
  },
  [],
  ['o.status = $2', 'o.client_id = $3'],
)
// the same indexes and crm_opportunity_search
const searchOpportunities = recentSearch<OpportunityRow>(source, ['o.status = $2', 'o.client_id = $3'])
const opportunitiesByIds = rowsByIds<OpportunityRow>(source, [
  'o.status = $3',
  'o.client_id = $4',
  matchesAll(source.search, '$5'),
])

/** A page of opportunities, newest first, and their total. */
export function listOpportunities(
  db: Db,
  { status, clientId, search, ids }: Filters & ListSelection,
  page: { limit: number; offset: number },
): Promise<{ rows: OpportunityRow[]; total: number }> {
  if (ids) return opportunitiesByIds(db, ids, [status, clientId, patternLines(search)], page)
  if (search) return searchOpportunities(db, search, [status, clientId], page)
  return newestOpportunities(db, [status, clientId], page)
}
