import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { LeadListQuery } from './lead-list.sql.ts'
import { type LeadPage, type LeadPageRow, leadPageOf, pageStatement } from './lead-page.ts'

/** The filters of a list other than the status; time ranges include both ends. */
type LeadFilters = {
  assigneeId?: string | undefined
  source?: string | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  updatedFrom?: string | undefined
  updatedTo?: string | undefined
}
type Order = LeadListQuery['order']
type Time = 'created_at' | 'updated_at'
/** A filter that an index supports, and the time column that the index is ordered by. */
type IndexPath = { filter: string; time: Time }
const indexPaths = {
  // indexes lead_assigned, lead_sourced, lead_created and lead_updated
  assignee: { filter: 'k.assignee_id = $7', time: 'created_at' },
  source: { filter: 'k.source = $7', time: 'created_at' },
  created: { filter: '$7::text is null', time: 'created_at' },
  updated: { filter: '$7::text is null', time: 'updated_at' },
} satisfies Record<string, IndexPath>

type SingleFilterArgs = [
  statuses: readonly LeadStatus[],
  limit: number,
  offset: number,
  from: string | null,
  to: string | null,
  value: string | null,
]
type CombinedFilterArgs = [
  ...SingleFilterArgs,
  assigneeId: string | null,
  source: string | null,
  createdFrom: string | null,
  createdTo: string | null,
  updatedFrom: string | null,
  updatedTo: string | null,
  orderBy: string,
]

const within = (time: Time, from: string, to: string) =>
  `k.${time} >= coalesce(${from}::timestamptz, '-infinity') and k.${time} <= coalesce(${to}::timestamptz, 'infinity')`

/** The newest leads that match one filter, read from its index; the result merges the statuses. */
function newest({ filter, time }: IndexPath): string {
  const ofStatus = (status: LeadStatus) => `(
      select k.id, k.${time} as sort_key from lead k
      where k.organization_id = $1 and k.status = '${status}' and '${status}' = any($2::text[]) and k.erased_at is null
        and ${filter} and ${within(time, '$5', '$6')}
      order by k.${time} desc, k.id desc limit ${limits.leadsCounted})`
  return `select b.id, b.sort_key from (${leadStatuses.map(ofStatus).join(' union all ')}) b
    order by b.sort_key desc, b.id desc limit ${limits.leadsCounted}`
}

const page = (order: Order) =>
  pageStatement(
    'select count(*)::int as total from fit',
    `select f.id, f.sort_key from fit f order by f.sort_key ${order}, f.id ${order} limit $3 offset $4`,
    order,
  )

/** One filter, ordered by its time column. */
const singleFilter = (path: IndexPath, order: Order) =>
  sql<LeadPageRow, SingleFilterArgs>(`
  with fit as materialized (${newest(path)})
  ${page(order)}`)

/** Further filters or another order, applied to the newest leads of one filter only, which bounds the work. */
const combinedFilters = (path: IndexPath, order: Order) =>
  sql<LeadPageRow, CombinedFilterArgs>(`
  with near as materialized (${newest(path)}),
  fit as materialized (
    select k.id, row_number() over (order by
      case $14 when 'createdAt' then k.created_at when 'updatedAt' then k.updated_at end ${order},
      case $14 when 'lastName' then k.last_name_folded when 'company' then k.company_folded end ${order},
      case $14 when 'score' then k.score_rank end ${order}, k.id ${order}) as sort_key
    from near n cross join lateral (
      select l.* from lead l where l.organization_id = $1 and l.id = n.id offset 0) k
    where ($8::text is null or k.assignee_id = $8) and ($9::text is null or k.source = $9)
      and ${within('created_at', '$10', '$11')} and ${within('updated_at', '$12', '$13')})
  ${page('asc')}`)

const inBothOrders = <Made>(make: (path: IndexPath, order: Order) => Made) =>
  Object.fromEntries(
    Object.entries(indexPaths).map(([name, path]) => [
      name,
      { asc: make(path, 'asc'), desc: make(path, 'desc') },
    ]),
  ) as Record<keyof typeof indexPaths, Record<Order, Made>>
const singleFilters = inBothOrders(singleFilter)
const combinedFiltersByPath = inBothOrders(combinedFilters)

/** A page of the leads that match all filters, of which there must be at least one; see GET /leads for the limits. */
export async function filterLeads(
  db: Db,
  { statuses, orderBy, order, limit, offset }: LeadListQuery,
  filters: LeadFilters,
): Promise<LeadPage> {
  const { assigneeId, source, createdFrom, createdTo, updatedFrom, updatedTo } = filters
  const path = assigneeId ? 'assignee' : source ? 'source' : createdFrom || createdTo ? 'created' : 'updated'
  const [time, from, to] =
    path === 'updated' ? ['updatedAt', updatedFrom, updatedTo] : ['createdAt', createdFrom, createdTo]
  const value = assigneeId ?? source
  const first: SingleFilterArgs = [statuses, limit, offset, from ?? null, to ?? null, value ?? null]
  const isSingle =
    orderBy === time && !(assigneeId && source) && (path === 'updated' || !(updatedFrom || updatedTo))
  if (isSingle) return leadPageOf(await db.rows(singleFilters[path][order], ...first))
  const all = [assigneeId, source, createdFrom, createdTo, updatedFrom, updatedTo]
  const [a, s, cf, ct, uf, ut] = all.map(one => one ?? null) as (string | null)[]
  return leadPageOf(
    await db.rows(combinedFiltersByPath[path][order], ...first, a!, s!, cf!, ct!, uf!, ut!, orderBy),
  )
}
