import type { OpportunityStatus } from '#contract/crm/opportunities.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { sql } from '#platform/data/statement.ts'
import { type ListSelection, pagedList, rowsByIds } from '../paged-list.sql.ts'
import { matchesAll, patternLines, recentSearch } from '../recent-search.sql.ts'
import { allOpportunityColumns, type OpportunityRow, opportunityColumns } from './opportunity.row.ts'

const names = Object.keys(opportunityColumns)
const typed = Object.entries(opportunityColumns).map(([name, type]) => `${name} ${type}`)
const inputRow = recordOf('$row', typed.join(', '))
const insert = sql<OpportunityRow, { row: string }>(`
  insert into crm_opportunity as o (organization_id, ${names.join(', ')})
  select $organization, ${names.map(name => `r.${name}`).join(', ')} from ${inputRow}
  returning ${allOpportunityColumns}`)
const update = sql<OpportunityRow, { row: string }>(`
  update crm_opportunity o set ${names
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, updated_at = now(), closed_at = case when r.status <> 'OPEN' then now() end
  from ${inputRow} where o.organization_id = $organization and o.id = r.id
  returning ${allOpportunityColumns}`)

export function insertOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return tx.one(insert, { row: JSON.stringify(opportunity) })
}

/** Updates an opportunity that this transaction has locked. */
export function setOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return tx.one(update, { row: JSON.stringify(opportunity) })
}

type Filters = { status: OpportunityStatus | null; clientId: string | null }
const source = {
  table: 'crm_opportunity',
  alias: 'o',
  columns: allOpportunityColumns,
  search: "(' ' || o.title_folded)",
}
const filters = { status: 'o.status = $status', clientId: 'o.client_id = $clientId' }
// index crm_opportunity_recent, crm_opportunity_status or crm_opportunity_of
const newestOpportunities = pagedList<OpportunityRow, Filters>(
  {
    columns: allOpportunityColumns,
    from: 'from crm_opportunity o where o.organization_id = $organization',
    order: 'o.created_at desc, o.id desc',
  },
  filters,
)
// the same indexes and crm_opportunity_search
const searchOpportunities = recentSearch<OpportunityRow, keyof Filters>(source, filters)
const opportunitiesByIds = rowsByIds<OpportunityRow, keyof Filters | 'search'>(source, {
  ...filters,
  search: matchesAll(source.search, '$search'),
})

/** A page of opportunities, newest first, and their total. */
export function listOpportunities(
  db: Db,
  { status, clientId, search, ids }: Filters & ListSelection,
  page: { limit: number; offset: number },
): Promise<{ rows: OpportunityRow[]; total: number }> {
  if (ids) return opportunitiesByIds(db, ids, { status, clientId, search: patternLines(search) }, page)
  if (search) return searchOpportunities(db, search, { status, clientId }, page)
  return newestOpportunities(db, { status, clientId }, page)
}
