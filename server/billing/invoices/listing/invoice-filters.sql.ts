import { type InvoiceOrder, invoiceOrders } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { sql } from '#platform/data/statement.ts'
import type { Page } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { type InvoiceRow, invoiceColumns } from '../invoice.row.ts'
import { isUnpaid } from '../unpaid.sql.ts'
import type { InvoiceFilters, InvoiceSearch } from './invoice-list.rules.ts'

type SortDirection = 'asc' | 'desc'
type FilterArgs = Omit<InvoiceFilters, 'search'> & {
  [Name in keyof InvoiceSearch]: InvoiceSearch[Name] | null
}
type CombinedArgs = FilterArgs & { order: string; limit: number; offset: number }

const soughtClients = `(select c.id from crm_client c
  where c.organization_id = $organization and c.search like $clients
  limit ${limits.invoiceClientsSought})`
/** Every filter, on an invoice `i`. */
const matches = `($status::text is null or i.status = $status) and ($clientId::text is null or i.client_id = $clientId)
  and ($applicationId::text is null or i.application_id = $applicationId) and ($userId::text is null or i.external_user_id = $userId)
  and ($budgetId::text is null or i.budget_id = $budgetId) and (not $isUnpaid::boolean or ${isUnpaid('i')})
  and (not $isOverdue::boolean or (${isUnpaid('i')} and i.due_date < (now() at time zone 'utc')::date))
  and ($issuedFrom::date is null or i.issue_date >= $issuedFrom) and ($issuedTo::date is null or i.issue_date <= $issuedTo)
  and ($dueFrom::date is null or i.due_date >= $dueFrom) and ($dueTo::date is null or i.due_date <= $dueTo)
  and ($ids::text[] is null or i.id = any($ids))
  and ($numbersFrom::text is null or (i.number ~>=~ $numbersFrom and i.number ~<~ $numbersTo) or i.total_cents = $cents::bigint
    or i.client_id in ${soughtClients})`

/** Drafts have the latest days and the smallest number. */
const sortKeys: Record<InvoiceOrder, (i: string) => string> = {
  createdAt: i => `${i}.created_at`,
  issueDate: i => `coalesce(${i}.issue_date, date 'infinity')`,
  dueDate: i => `coalesce(${i}.due_date, date 'infinity')`,
  number: i => `coalesce(${i}.number, '')`,
  totalCents: i => `${i}.total_cents`,
}
const within = (day: string, from: string, to: string) =>
  `${day} >= coalesce(${from}::date, '-infinity') and ${day} <= coalesce(${to}::date, date '9999-12-31')`
const some = `limit ${limits.invoicesCounted}`
const newest = (condition: string, order = 'i.created_at desc, i.id desc') =>
  `select i.id from invoice i where i.organization_id = $organization and ${condition} order by ${order} ${some}`
/**
 * The newest invoices, from the index invoice_newest alone. It has what the filters and orders without an index of their
 * own read, because every invoice pays for an index.
 */
const examined = `select i.id, i.created_at, i.due_date, i.total_cents from invoice i
  where i.organization_id = $organization
  order by i.created_at desc, i.id desc limit ${limits.billingRowsExamined}`

/** The invoices that one filter finds by its index, the newest first, in bounded number. */
const indexPaths = {
  // the primary key
  ids: newest('i.id = any($ids)', 'i.id'),
  // indexes invoice_of_budget, invoice_of_user, invoice_of_client, invoice_of_application, invoice_unpaid, invoice_status,
  // invoice_issued_on and invoice_newest
  budget: newest('i.budget_id = $budgetId'),
  user: newest('i.application_id = $applicationId and i.external_user_id = $userId'),
  client: newest('i.client_id = $clientId'),
  application: newest('i.application_id = $applicationId'),
  unpaid: newest(isUnpaid('i'), 'i.due_date, i.id'),
  status: newest('i.status = $status'),
  issued: newest(within('i.issue_date', '$issuedFrom', '$issuedTo'), 'i.issue_date desc, i.id desc'),
  due: `select i.id from (${examined}) i where ${within('i.due_date', '$dueFrom', '$dueTo')}
    order by i.due_date desc, i.id desc ${some}`,
  // indexes invoice_numbered, invoice_newest, crm_client_search and invoice_of_client
  search: `(select i.id from invoice i
      where i.organization_id = $organization and i.number ~>=~ $numbersFrom and i.number ~<~ $numbersTo ${some})
    union (select i.id from (${examined}) i where $cents::bigint is not null and i.total_cents = $cents ${some})
    union (select b.id from ${soughtClients} c cross join lateral (
      select i.id from invoice i where i.organization_id = $organization
        and i.client_id = c.id ${some}) b ${some})`,
}
type IndexPath = keyof typeof indexPaths

/**
 * The invoice of an id `n.id` and its client, one by one: the planner must not scan the invoices of a client for each,
 * as it does while a table has no statistics.
 */
const invoiceOfId = `cross join lateral (
      select l.* from invoice l where l.organization_id = $organization and l.id = n.id offset 0) i`
const clientOfInvoice = `cross join lateral (
      select d.name from crm_client d where d.organization_id = $organization and d.id = i.client_id offset 0) c`

/** The page of `fit`, which has the ids of invoices and their places in the order, and its total. */
export const pageOfFit = `
  select t.total, p.* from (select count(*)::int as total from fit) t left join (
    select ${invoiceColumns}, n.place
    from (select f.id, f.place from fit f order by f.place limit $limit offset $offset) n
    ${invoiceOfId} ${clientOfInvoice}) p on true
  order by p.place`

const orderedBy = invoiceOrders
  .flatMap(name =>
    (['asc', 'desc'] as const).map(
      direction => `case when $order = '${name} ${direction}' then ${sortKeys[name]('i')} end ${direction}`,
    ),
  )
  .join(', ')
/** All filters and any order, applied to the invoices of one index only, which bounds the work. */
const combined = (path: IndexPath) =>
  sql<RowWithTotal<InvoiceRow>, CombinedArgs>(`
  with near as materialized (${indexPaths[path]}),
  fit as materialized (
    select i.id, row_number() over (order by ${orderedBy}, case when $order like '% asc' then i.id end,
      i.id desc) as place
    from near n ${invoiceOfId} where ${matches})
  ${pageOfFit}`)
const combinedByPath = Object.fromEntries(
  Object.keys(indexPaths).map(path => [path, combined(path as IndexPath)]),
) as Record<IndexPath, ReturnType<typeof combined>>

type OrderedByDayArgs = Page & { from: string | null; to: string | null }
/** The page of `invoices`, which have an id and a sort_key, in this direction. */
const orderedPage = <Args extends Page = Page>(invoices: string, direction: SortDirection) =>
  sql<RowWithTotal<InvoiceRow>, Args>(`
  with fit as materialized (
    select o.id, row_number() over (order by o.sort_key ${direction}, o.id ${direction}) as place from (
      select s.id, s.sort_key from (${invoices}) s order by s.sort_key ${direction}, s.id ${direction} ${some}) o)
  ${pageOfFit}`)
const keyed = (name: InvoiceOrder, from: string) =>
  `select i.id, ${sortKeys[name]('i')} as sort_key from ${from} i`
/** In the order of an index, which leaves out drafts; the newest drafts have one place together. */
const byIndex = (name: 'issueDate' | 'number', direction: SortDirection) => {
  const column = name === 'number' ? 'i.number' : 'i.issue_date'
  return orderedPage(
    `(${keyed(name, 'invoice')} where i.organization_id = $organization and ${column} is not null
      order by ${column} ${direction}, i.id ${direction} ${some})
    union all (${keyed(name, 'invoice')} where i.organization_id = $organization and i.status = 'DRAFT'
      order by i.created_at desc, i.id desc ${some})`,
    direction,
  )
}
const amongExamined = (name: 'dueDate' | 'totalCents', direction: SortDirection) =>
  orderedPage(keyed(name, `(${examined})`), direction)
const byCreation = (direction: SortDirection) =>
  orderedPage(
    `${keyed('createdAt', 'invoice')} where i.organization_id = $organization
      order by i.created_at ${direction}, i.id ${direction} ${some}`,
    direction,
  )
const issuedWithin = (direction: SortDirection) =>
  orderedPage<OrderedByDayArgs>(
    `select i.id, i.issue_date as sort_key from invoice i
      where i.organization_id = $organization and ${within('i.issue_date', '$from', '$to')}
      order by i.issue_date ${direction}, i.id ${direction} ${some}`,
    direction,
  )
const dueWithin = (direction: SortDirection) =>
  orderedPage<OrderedByDayArgs>(
    `select i.id, i.due_date as sort_key from (${examined}) i where ${within('i.due_date', '$from', '$to')}`,
    direction,
  )
const inBothDirections = <Made>(make: (direction: SortDirection) => Made) => ({
  asc: make('asc'),
  desc: make('desc'),
})
// indexes invoice_newest, invoice_issued_on and invoice_number, and for drafts invoice_status
const orderedLists = {
  createdAt: inBothDirections(byCreation),
  issueDate: inBothDirections(direction => byIndex('issueDate', direction)),
  dueDate: inBothDirections(direction => amongExamined('dueDate', direction)),
  number: inBothDirections(direction => byIndex('number', direction)),
  totalCents: inBothDirections(direction => amongExamined('totalCents', direction)),
}
const rangedLists = { issueDate: inBothDirections(issuedWithin), dueDate: inBothDirections(dueWithin) }

/** A page of the invoices that match all filters, in any order; see GET /invoices for the limits. */
export async function filterInvoices(
  db: Db,
  filters: InvoiceFilters,
  { orderBy, order }: { orderBy: InvoiceOrder; order: SortDirection },
  { limit, offset }: Page,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const path = indexPathOf(filters)
  if (path === 'recent') return pageWithTotal(await db.rows(orderedLists[orderBy][order], { limit, offset }))
  if (path === 'issued' && orderBy === 'issueDate' && !hasDueRange(filters)) {
    const days = { from: filters.issuedFrom, to: filters.issuedTo }
    return pageWithTotal(await db.rows(rangedLists.issueDate[order], { ...days, limit, offset }))
  }
  if (path === 'due' && orderBy === 'dueDate') {
    const days = { from: filters.dueFrom, to: filters.dueTo }
    return pageWithTotal(await db.rows(rangedLists.dueDate[order], { ...days, limit, offset }))
  }
  const args = filterArgs(filters)
  return pageWithTotal(
    await db.rows(combinedByPath[path], { ...args, order: `${orderBy} ${order}`, limit, offset }),
  )
}

/** The index of the filter that usually matches the fewest invoices; recent: there is no filter. */
function indexPathOf(filters: InvoiceFilters): IndexPath | 'recent' {
  if (filters.ids) return 'ids'
  if (filters.budgetId) return 'budget'
  if (filters.search) return 'search'
  if (filters.applicationId && filters.userId) return 'user'
  if (filters.clientId) return 'client'
  if (filters.applicationId) return 'application'
  if (filters.isUnpaid || filters.isOverdue) return 'unpaid'
  if (hasDueRange(filters)) return filters.issuedFrom || filters.issuedTo ? 'issued' : 'due'
  if (filters.issuedFrom || filters.issuedTo) return 'issued'
  return filters.status ? 'status' : 'recent'
}

function hasDueRange({ dueFrom, dueTo }: Pick<InvoiceFilters, 'dueFrom' | 'dueTo'>): boolean {
  return dueFrom !== null || dueTo !== null
}

function filterArgs(filters: InvoiceFilters): FilterArgs {
  return {
    status: filters.status,
    clientId: filters.clientId,
    applicationId: filters.applicationId,
    userId: filters.userId,
    budgetId: filters.budgetId,
    isUnpaid: filters.isUnpaid,
    isOverdue: filters.isOverdue,
    issuedFrom: filters.issuedFrom,
    issuedTo: filters.issuedTo,
    dueFrom: filters.dueFrom,
    dueTo: filters.dueTo,
    ids: filters.ids,
    ...(filters.search ?? { numbersFrom: null, numbersTo: null, clients: null, cents: null }),
  }
}

/** The last id that was examined, with each invoice that matches; without any, only that id. */
type ExportRow = { examined_to: string | null } & (InvoiceRow | { id: null })
// by primary key, so that concurrent changes neither repeat nor skip an invoice
const exportBatch = sql<ExportRow, FilterArgs & { after: string; limit: number }>(`
  with near as materialized (
    select i.id from invoice i where i.organization_id = $organization and i.id > $after order by i.id limit $limit)
  select t.examined_to, p.* from (select max(n.id) as examined_to from near n) t left join (
    select ${invoiceColumns} from near n ${invoiceOfId} ${clientOfInvoice} where ${matches}) p on true
  order by p.id`)

/** The invoices that match, in the order of their ids, in batches that each examine a bounded number. */
export async function* invoicesInBatches(
  db: Db,
  filters: InvoiceFilters,
): AsyncGenerator<InvoiceRow[], void> {
  const args = filterArgs(filters)
  for (let after: string | null = ''; after !== null; ) {
    const rows: ExportRow[] = await db.rows(exportBatch, { ...args, after, limit: limits.invoiceExportPage })
    after = firstOf(rows).examined_to
    yield rows.filter((row): row is InvoiceRow & { examined_to: string } => row.id !== null)
  }
}
