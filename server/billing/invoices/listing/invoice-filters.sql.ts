import { type InvoiceOrder, invoiceOrders } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { sql } from '#platform/data/statement.ts'
import { type InvoiceRow, invoiceColumns } from '../invoice.row.ts'
import { isUnpaid } from '../unpaid.sql.ts'
import type { InvoiceFilters } from './invoice-list.rules.ts'

type SortDirection = 'asc' | 'desc'
type PageRange = { limit: number; offset: number }
type FilterArgs = [
  status: string | null,
  clientId: string | null,
  applicationId: string | null,
  userId: string | null,
  budgetId: string | null,
  isUnpaid: boolean,
  isOverdue: boolean,
  issuedFrom: string | null,
  issuedTo: string | null,
  dueFrom: string | null,
  dueTo: string | null,
  ids: readonly string[] | null,
  numbersFrom: string | null,
  numbersTo: string | null,
  clients: string | null,
  cents: number | null,
]
type CombinedArgs = [...FilterArgs, order: string, limit: number, offset: number]

const soughtClients = `(select c.id from crm_client c where c.organization_id = $1 and c.search like $16
  limit ${limits.invoiceClientsSought})`
/** Every filter, on an invoice `i`. */
const matches = `($2::text is null or i.status = $2) and ($3::text is null or i.client_id = $3)
  and ($4::text is null or i.application_id = $4) and ($5::text is null or i.external_user_id = $5)
  and ($6::text is null or i.budget_id = $6) and (not $7::boolean or ${isUnpaid('i')})
  and (not $8::boolean or (${isUnpaid('i')} and i.due_date < (now() at time zone 'utc')::date))
  and ($9::date is null or i.issue_date >= $9) and ($10::date is null or i.issue_date <= $10)
  and ($11::date is null or i.due_date >= $11) and ($12::date is null or i.due_date <= $12)
  and ($13::text[] is null or i.id = any($13))
  and ($14::text is null or (i.number ~>=~ $14 and i.number ~<~ $15) or i.total_cents = $17::bigint
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
  `select i.id from invoice i where i.organization_id = $1 and ${condition} order by ${order} ${some}`
/**
 * The newest invoices, from the index invoice_newest alone. It has what the filters and orders without an index of their
 * own read, because every invoice pays for an index.
 */
const examined = `select i.id, i.created_at, i.due_date, i.total_cents from invoice i where i.organization_id = $1
  order by i.created_at desc, i.id desc limit ${limits.billingRowsExamined}`

/** The invoices that one filter finds by its index, the newest first, in bounded number. */
const indexPaths = {
  // the primary key
  ids: newest('i.id = any($13)', 'i.id'),
  // indexes invoice_of_budget, invoice_of_user, invoice_of_client, invoice_of_application, invoice_unpaid, invoice_status,
  // invoice_issued_on and invoice_newest
  budget: newest('i.budget_id = $6'),
  user: newest('i.application_id = $4 and i.external_user_id = $5'),
  client: newest('i.client_id = $3'),
  application: newest('i.application_id = $4'),
  unpaid: newest(isUnpaid('i'), 'i.due_date, i.id'),
  status: newest('i.status = $2'),
  issued: newest(within('i.issue_date', '$9', '$10'), 'i.issue_date desc, i.id desc'),
  due: `select i.id from (${examined}) i where ${within('i.due_date', '$11', '$12')}
    order by i.due_date desc, i.id desc ${some}`,
  // indexes invoice_numbered, invoice_newest, crm_client_search and invoice_of_client
  search: `(select i.id from invoice i
      where i.organization_id = $1 and i.number ~>=~ $14 and i.number ~<~ $15 ${some})
    union (select i.id from (${examined}) i where $17::bigint is not null and i.total_cents = $17 ${some})
    union (select b.id from ${soughtClients} c cross join lateral (
      select i.id from invoice i where i.organization_id = $1 and i.client_id = c.id ${some}) b ${some})`,
}
type IndexPath = keyof typeof indexPaths

/**
 * The invoice of an id `n.id` and its client, one by one: the planner must not scan the invoices of a client for each,
 * as it does while a table has no statistics.
 */
const invoiceOfId = `cross join lateral (
      select l.* from invoice l where l.organization_id = $1 and l.id = n.id offset 0) i`
const clientOfInvoice = `cross join lateral (
      select d.name from crm_client d where d.organization_id = $1 and d.id = i.client_id offset 0) c`

/** The page of `fit`, which has the ids of invoices and their places in the order, and its total. */
export const pageOfFit = (limit: string, offset: string) => `
  select t.total, p.* from (select count(*)::int as total from fit) t left join (
    select ${invoiceColumns}, n.place
    from (select f.id, f.place from fit f order by f.place limit ${limit} offset ${offset}) n
    ${invoiceOfId} ${clientOfInvoice}) p on true
  order by p.place`

const orderedBy = invoiceOrders
  .flatMap(name =>
    (['asc', 'desc'] as const).map(
      direction => `case when $18 = '${name} ${direction}' then ${sortKeys[name]('i')} end ${direction}`,
    ),
  )
  .join(', ')
/** All filters and any order, applied to the invoices of one index only, which bounds the work. */
const combined = (path: IndexPath) =>
  sql<RowWithTotal<InvoiceRow>, CombinedArgs>(`
  with near as materialized (${indexPaths[path]}),
  fit as materialized (
    select i.id, row_number() over (order by ${orderedBy}, case when $18 like '% asc' then i.id end, i.id desc) as place
    from near n ${invoiceOfId} where ${matches})
  ${pageOfFit('$19', '$20')}`)
const combinedByPath = Object.fromEntries(
  Object.keys(indexPaths).map(path => [path, combined(path as IndexPath)]),
) as Record<IndexPath, ReturnType<typeof combined>>

type OrderedArgs = [limit: number, offset: number]
type OrderedByDayArgs = [...OrderedArgs, from: string | null, to: string | null]
/** The page of `invoices`, which have an id and a sort_key, in this direction. */
const orderedPage = <Args extends OrderedArgs | OrderedByDayArgs = OrderedArgs>(
  invoices: string,
  direction: SortDirection,
) =>
  sql<RowWithTotal<InvoiceRow>, Args>(`
  with fit as materialized (
    select o.id, row_number() over (order by o.sort_key ${direction}, o.id ${direction}) as place from (
      select s.id, s.sort_key from (${invoices}) s order by s.sort_key ${direction}, s.id ${direction} ${some}) o)
  ${pageOfFit('$2', '$3')}`)
const keyed = (name: InvoiceOrder, from: string) =>
  `select i.id, ${sortKeys[name]('i')} as sort_key from ${from} i`
/** In the order of an index, which leaves out drafts; the newest drafts have one place together. */
const byIndex = (name: 'issueDate' | 'number', direction: SortDirection) => {
  const column = name === 'number' ? 'i.number' : 'i.issue_date'
  return orderedPage(
    `(${keyed(name, 'invoice')} where i.organization_id = $1 and ${column} is not null
      order by ${column} ${direction}, i.id ${direction} ${some})
    union all (${keyed(name, 'invoice')} where i.organization_id = $1 and i.status = 'DRAFT'
      order by i.created_at desc, i.id desc ${some})`,
    direction,
  )
}
const amongExamined = (name: 'dueDate' | 'totalCents', direction: SortDirection) =>
  orderedPage(keyed(name, `(${examined})`), direction)
const byCreation = (direction: SortDirection) =>
  orderedPage(
    `${keyed('createdAt', 'invoice')} where i.organization_id = $1
      order by i.created_at ${direction}, i.id ${direction} ${some}`,
    direction,
  )
const issuedWithin = (direction: SortDirection) =>
  orderedPage<OrderedByDayArgs>(
    `select i.id, i.issue_date as sort_key from invoice i
      where i.organization_id = $1 and ${within('i.issue_date', '$4', '$5')}
      order by i.issue_date ${direction}, i.id ${direction} ${some}`,
    direction,
  )
const dueWithin = (direction: SortDirection) =>
  orderedPage<OrderedByDayArgs>(
    `select i.id, i.due_date as sort_key from (${examined}) i where ${within('i.due_date', '$4', '$5')}`,
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
  { limit, offset }: PageRange,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const path = indexPathOf(filters)
  if (path === 'recent') return pageWithTotal(await db.rows(orderedLists[orderBy][order], limit, offset))
  if (path === 'issued' && orderBy === 'issueDate' && !hasDueRange(filters)) {
    const { issuedFrom, issuedTo } = filters
    return pageWithTotal(await db.rows(rangedLists.issueDate[order], limit, offset, issuedFrom, issuedTo))
  }
  if (path === 'due' && orderBy === 'dueDate') {
    const { dueFrom, dueTo } = filters
    return pageWithTotal(await db.rows(rangedLists.dueDate[order], limit, offset, dueFrom, dueTo))
  }
  const args = filterArgs(filters)
  return pageWithTotal(await db.rows(combinedByPath[path], ...args, `${orderBy} ${order}`, limit, offset))
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
  const [numbersFrom, numbersTo, clients, cents] = filters.search ?? [null, null, null, null]
  return [
    filters.status,
    filters.clientId,
    filters.applicationId,
    filters.userId,
    filters.budgetId,
    filters.isUnpaid,
    filters.isOverdue,
    filters.issuedFrom,
    filters.issuedTo,
    filters.dueFrom,
    filters.dueTo,
    filters.ids,
    numbersFrom,
    numbersTo,
    clients,
    cents,
  ]
}

/** The last id that was examined, with each invoice that matches; without any, only that id. */
type ExportRow = { examined_to: string | null } & (InvoiceRow | { id: null })
// by primary key, so that concurrent changes neither repeat nor skip an invoice
const exportBatch = sql<ExportRow, [...FilterArgs, after: string, limit: number]>(`
  with near as materialized (
    select i.id from invoice i where i.organization_id = $1 and i.id > $18 order by i.id limit $19)
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
    const rows: ExportRow[] = await db.rows(exportBatch, ...args, after, limits.invoiceExportPage)
    after = rows[0]!.examined_to
    yield rows.filter((row): row is InvoiceRow & { examined_to: string } => row.id !== null)
  }
}
