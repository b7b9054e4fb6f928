import type { LeadOrder } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses, type Temperature } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { firstOf } from '#platform/required.ts'
import type { LeadListQuery } from './lead-list.sql.ts'
import { type LeadPage, type LeadPageRow, leadPageOf, pageStatement } from './lead-page.ts'

/** The filters of a list other than the status; ranges include both ends. */
export type LeadFilters = {
  ids?: readonly string[] | undefined
  /** A member, or `unassigned`. */
  assigneeId?: string | undefined
  source?: string | undefined
  stage?: string | undefined
  temperature?: Temperature | undefined
  scoreFrom?: number | undefined
  scoreTo?: number | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  updatedFrom?: string | undefined
  updatedTo?: string | undefined
}
type Order = LeadListQuery['order']
/**
 * A filter that an index supports. The index is ordered by `column`, which is the order `orderBy` of the list. `isNull` is a
 * column that the filter fixes to null: the planner sees the order of the index only if the statement sorts by it, too.
 */
type IndexPath = { filter: string; column: string; orderBy: LeadOrder; range?: string; isNull?: string }
const within = (column: string, from: string, to: string) =>
  `k.${column} >= coalesce(${from}::timestamptz, '-infinity') and k.${column} <= coalesce(${to}::timestamptz, 'infinity')`
// leads without a score have the rank -1
const scored = (from: string, to: string) =>
  `k.score_rank >= coalesce(${from}::int, -1) and k.score_rank <= coalesce(${to}::int, 100)`
const noValue = '$value::text is null'
const byCreation = { column: 'created_at', orderBy: 'createdAt' } as const
// in the order in which they are chosen; `ids` is read from the primary key
const indexPaths = {
  // indexes lead_assigned, lead_sourced, lead_staged and lead_by_temperature
  assignee: { ...byCreation, filter: 'k.assignee_id = $value' },
  source: { ...byCreation, filter: 'k.source = $value' },
  stage: { ...byCreation, filter: 'k.stage = $value' },
  temperature: { ...byCreation, filter: 'k.temperature = $value' },
  // indexes lead_assigned, lead_scored, lead_created and lead_updated
  unassigned: { ...byCreation, filter: `k.assignee_id is null and ${noValue}`, isNull: 'assignee_id' },
  score: { filter: noValue, column: 'score_rank', orderBy: 'score', range: scored('$from', '$to') },
  created: { ...byCreation, filter: noValue },
  updated: { filter: noValue, column: 'updated_at', orderBy: 'updatedAt' },
} as const satisfies Record<string, IndexPath>
type PathName = keyof typeof indexPaths

type SingleFilterArgs = {
  statuses: readonly LeadStatus[]
  limit: number
  offset: number
  from: string | number | null
  to: string | number | null
  value: string | null
}
type FurtherFilterArgs = {
  assigneeId: string | null
  source: string | null
  createdFrom: string | null
  createdTo: string | null
  updatedFrom: string | null
  updatedTo: string | null
  orderBy: string
  stage: string | null
  temperature: string | null
  isUnassigned: boolean
  scoreFrom: number | null
  scoreTo: number | null
}
type CombinedFilterArgs = SingleFilterArgs & FurtherFilterArgs
type IdsFilterArgs = FurtherFilterArgs & {
  statuses: readonly LeadStatus[]
  limit: number
  offset: number
  from: string | number | null
  to: string | number | null
  ids: readonly string[]
}

/** The newest leads that match one filter, read from its index; the result merges the statuses. */
function newest({ filter, column, range = within(column, '$from', '$to'), isNull }: IndexPath): string {
  const first = isNull ? `k.${isNull} desc, ` : ''
  const ofStatus = (status: LeadStatus) => `(
      select k.id, k.${column} as sort_key from lead k
      where k.organization_id = $organization and k.status = '${status}'
        and '${status}' = any($statuses::text[]) and k.erased_at is null
        and ${filter} and ${range}
      order by ${first}k.${column} desc, k.id desc limit ${limits.leadsCounted})`
  return `select b.id, b.sort_key from (${leadStatuses.map(ofStatus).join(' union all ')}) b
    order by b.sort_key desc, b.id desc limit ${limits.leadsCounted}`
}

const page = (order: Order) =>
  pageStatement(
    'select count(*)::int as total from fit',
    `select f.id, f.sort_key from fit f order by f.sort_key ${order}, f.id ${order} limit $limit offset $offset`,
    order,
  )

/** One filter, ordered by the column of its index. */
const singleFilter = (path: IndexPath, order: Order) =>
  sql<LeadPageRow, SingleFilterArgs>(`
  with fit as materialized (${newest(path)})
  ${page(order)}`)

/** Those of the `near` leads that match every filter, in the requested order. */
const matching = (order: Order) => `fit as materialized (
    select k.id, row_number() over (order by
      case $orderBy when 'createdAt' then k.created_at when 'updatedAt' then k.updated_at end ${order},
      case $orderBy when 'lastName' then k.last_name_folded when 'company' then k.company_folded end ${order},
      case $orderBy when 'score' then k.score_rank end ${order}, k.id ${order}) as sort_key
    from near n cross join lateral (
      select l.* from lead l where l.organization_id = $organization and l.id = n.id offset 0) k
    where ($assigneeId::text is null or k.assignee_id = $assigneeId)
      and ($source::text is null or k.source = $source)
      and ($stage::text is null or k.stage = $stage)
        and ($temperature::text is null or k.temperature = $temperature)
      and (not $isUnassigned::boolean or k.assignee_id is null) and ${scored('$scoreFrom', '$scoreTo')}
      and ${within('created_at', '$createdFrom', '$createdTo')}
        and ${within('updated_at', '$updatedFrom', '$updatedTo')})
  ${page('asc')}`

/** Further filters or another order, applied to the newest leads of one filter only, which bounds the work. */
const combinedFilters = (path: IndexPath, order: Order) =>
  sql<LeadPageRow, CombinedFilterArgs>(`
  with near as materialized (${newest(path)}),
  ${matching(order)}`)

/** The leads with certain ids, of which there are at most limits.pageLimit. */
const idsFilter = (order: Order) =>
  sql<LeadPageRow, IdsFilterArgs>(`
  with near as materialized (
    select k.id from lead k where k.organization_id = $organization and k.id = any($ids::text[])
      and k.status = any($statuses::text[])
      and k.erased_at is null and $from::text is null and $to::text is null),
  ${matching(order)}`)

const inBothOrders = <Made>(make: (order: Order) => Made): Record<Order, Made> => ({
  asc: make('asc'),
  desc: make('desc'),
})
const ofPaths = <Made>(make: (path: IndexPath, order: Order) => Made) =>
  Object.fromEntries(
    Object.entries(indexPaths).map(([name, path]) => [name, inBothOrders(order => make(path, order))]),
  ) as Record<PathName, Record<Order, Made>>
const singleFilters = ofPaths(singleFilter)
const combinedFiltersByPath = ofPaths(combinedFilters)
const idsFilters = inBothOrders(idsFilter)

/** The value of `assigneeId` for leads without one. */
export const unassigned = 'none'

/** A page of the leads that match all filters, of which there must be at least one; see GET /leads for the limits. */
export async function filterLeads(
  db: Db,
  { statuses, orderBy, order, limit, offset }: LeadListQuery,
  { ids, assigneeId, ...filters }: LeadFilters,
): Promise<LeadPage> {
  const { source, stage, temperature, scoreFrom, scoreTo } = filters
  const { createdFrom, createdTo, updatedFrom, updatedTo } = filters
  const isScored = scoreFrom !== undefined || scoreTo !== undefined
  // a range of scores leaves out leads without one
  const scores = isScored ? ([scoreFrom ?? 0, scoreTo ?? 100] as const) : ([null, null] as const)
  const isUnassigned = assigneeId === unassigned
  const member = isUnassigned ? undefined : assigneeId
  const further: FurtherFilterArgs = {
    assigneeId: member ?? null,
    source: source ?? null,
    createdFrom: createdFrom ?? null,
    createdTo: createdTo ?? null,
    updatedFrom: updatedFrom ?? null,
    updatedTo: updatedTo ?? null,
    orderBy,
    stage: stage ?? null,
    temperature: temperature ?? null,
    isUnassigned,
    scoreFrom: scores[0],
    scoreTo: scores[1],
  }
  if (ids)
    return leadPageOf(
      await db.rows(idsFilters[order], { statuses, limit, offset, from: null, to: null, ids, ...further }),
    )
  const isGiven: Record<PathName, boolean> = {
    assignee: member !== undefined,
    source: source !== undefined,
    stage: stage !== undefined,
    temperature: temperature !== undefined,
    unassigned: isUnassigned,
    score: isScored,
    created: createdFrom !== undefined || createdTo !== undefined,
    updated: updatedFrom !== undefined || updatedTo !== undefined,
  }
  const given = (Object.keys(indexPaths) as PathName[]).filter(name => isGiven[name])
  const path = firstOf(given)
  const ranges = {
    score: scores,
    updated: [updatedFrom, updatedTo],
    created: [createdFrom, createdTo],
  } as const
  const [from, to] = path === 'score' || path === 'updated' ? ranges[path] : ranges.created
  const value = member ?? source ?? stage ?? temperature ?? null
  const first: SingleFilterArgs = { statuses, limit, offset, from: from ?? null, to: to ?? null, value }
  // the paths by creation also read the range of creation from their index
  const others = given.slice(1).filter(name => name !== 'created' || indexPaths[path].orderBy !== 'createdAt')
  if (others.length === 0 && orderBy === indexPaths[path].orderBy)
    return leadPageOf(await db.rows(singleFilters[path][order], first))
  return leadPageOf(await db.rows(combinedFiltersByPath[path][order], { ...first, ...further }))
}
