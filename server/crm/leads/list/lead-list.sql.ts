import { type LeadOrder, leadOrders } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { lookUp } from '#platform/required.ts'
import { type LeadPage, type LeadPageRow, leadPageOf, pageStatement } from './lead-page.ts'

type Order = 'asc' | 'desc'
/** The statuses, order and page of a list. */
export type LeadListQuery = {
  statuses: readonly LeadStatus[]
  orderBy: LeadOrder
  order: Order
  limit: number
  offset: number
}

const columns: Record<LeadOrder, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastName: 'last_name_folded',
  company: 'company_folded',
  score: 'score_rank',
}
const orders = ['asc', 'desc'] as const
type ListArgs = { statuses: readonly LeadStatus[]; limit: number; offset: number }

// from the counters in lead_clock
const counted = `select coalesce(sum(case n.status ${leadStatuses
  .map(status => `when '${status}' then c.${status.toLowerCase()}_count`)
  .join(' ')} end), 0)::int as total
  from unnest($statuses::text[]) n (status) left join lead_clock c on c.organization_id = $organization`
const count = sql<{ total: number }, { statuses: readonly LeadStatus[] }>(counted)
// merges the first leads of each status, each read from an index in the requested order
const listStatement = (column: string, order: Order) =>
  sql<LeadPageRow, ListArgs>(
    pageStatement(
      counted,
      `select h.id, h.sort_key from unnest($statuses::text[]) s (status) cross join lateral (
        select k.id, k.${column} as sort_key from lead k
        where k.organization_id = $organization and k.status = s.status and k.erased_at is null
        order by k.${column} ${order}, k.id ${order} limit $limit::int + $offset::int) h
      order by h.sort_key ${order}, h.id ${order} limit $limit offset $offset`,
      order,
    ),
  )
const listStatements = new Map(
  leadOrders.flatMap(by =>
    orders.map(order => [`${by} ${order}`, listStatement(columns[by], order)] as const),
  ),
)

/** The number of leads with one of the statuses. */
export async function countLeads(db: Db, statuses: readonly LeadStatus[]): Promise<number> {
  return (await db.one(count, { statuses })).total
}

/** A page of the leads with one of the statuses. */
export async function listLeads(
  db: Db,
  { statuses, orderBy, order, limit, offset }: LeadListQuery,
): Promise<LeadPage> {
  return leadPageOf(await db.rows(lookUp(listStatements, `${orderBy} ${order}`), { statuses, limit, offset }))
}
