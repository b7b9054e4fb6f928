import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { sql } from '#platform/data/statement.ts'
import type { Page } from '#platform/http/pagination.ts'
import { type InvoiceRow, invoiceColumns } from '../invoice.row.ts'
import { isUnpaid } from '../unpaid.sql.ts'
import { pageOfFit } from './invoice-filters.sql.ts'
import type { InvoiceFilters, InvoiceSearch } from './invoice-list.rules.ts'

/** The filters of the usual lists. */
type UsualFilters = Pick<InvoiceFilters, 'status' | 'clientId' | 'applicationId' | 'userId' | 'search'>
type FilterValues = {
  status: string | null
  clientId: string | null
  applicationId: string | null
  userId: string | null
}

const filters = {
  status: 'i.status = $status',
  clientId: 'i.client_id = $clientId',
  applicationId: 'i.application_id = $applicationId',
  userId: 'i.external_user_id = $userId',
}

/** A list in this order of the invoices that meet the `always` conditions. */
function listing(always: readonly string[], order: string) {
  const among = (condition: string) =>
    ['i.organization_id = $organization', ...always, condition].join(' and ')
  const page = withFilters<InvoiceRow, FilterValues & Page>(
    filters,
    condition => `select ${invoiceColumns} from invoice i
      join crm_client c on c.organization_id = $organization and c.id = i.client_id
      where ${among(condition)} order by ${order} limit $limit offset $offset`,
  )
  const count = withFilters<{ total: number }, FilterValues>(
    filters,
    condition => `select count(*) as total from (
    select from invoice i where ${among(condition)} limit ${limits.invoicesCounted}) n`,
  )
  const searchPage = searchStatement(among, order)
  return async (
    db: Db,
    criteria: UsualFilters,
    range: Page,
  ): Promise<{ rows: InvoiceRow[]; total: number }> => {
    const { status, clientId, applicationId, userId, search: sought } = criteria
    const values: FilterValues = { status, clientId, applicationId, userId }
    if (sought) return pageWithTotal(await db.rows(searchPage, { ...values, ...sought, ...range }))
    const [rows, { total }] = await Promise.all([
      db.rows(page({ ...values, ...range }), { ...values, ...range }),
      db.one(count(values), values),
    ])
    return { rows, total }
  }
}

/**
 * A search uses indexes of its own (invoice_numbered, crm_client_search, invoice_of_client) and sorts afterwards; a total is
 * sought among the newest invoices, in the index invoice_newest. In the order of the list a search would scan all invoices to
 * find a few.
 */
function searchStatement(among: (condition: string) => string, order: string) {
  const wanted = among(
    Object.entries(filters)
      .map(([name, condition]) => `($${name}::text is null or ${condition})`)
      .join(' and '),
  )
  const some = `limit ${limits.invoicesCounted}`
  const sortKeys = 'i.id, i.created_at, i.due_date'
  return sql<RowWithTotal<InvoiceRow>, FilterValues & InvoiceSearch & Page>(`
    with numbered as materialized (
      select ${sortKeys} from invoice i where ${wanted} and i.number ~>=~ $numbersFrom
        and i.number ~<~ $numbersTo ${some}
    ), billed as materialized (
      select b.* from (
        select c.id from crm_client c where c.organization_id = $organization and c.search like $clients
        limit ${limits.invoiceClientsSought}) c
      cross join lateral (select ${sortKeys} from invoice i
        where ${wanted} and i.client_id = c.id ${some}) b ${some}
    ), priced as materialized (
      select ${sortKeys} from (
        select e.id from (
          select n.id, n.total_cents from invoice n where n.organization_id = $organization
          order by n.created_at desc, n.id desc limit ${limits.billingRowsExamined}) e
        where $cents::bigint is not null and e.total_cents = $cents ${some}) p
      join invoice i on i.organization_id = $organization and i.id = p.id where ${wanted}
    ), fit as materialized (
      select i.id, row_number() over (order by ${order}) as place
      from (select * from numbered union select * from billed union select * from priced) i order by place ${some})
    ${pageOfFit}`)
}

/**
 * A page of invoices, the newest first, and how many there are. Index invoice_newest, invoice_status, invoice_of_client,
 * invoice_of_application(_status) or invoice_of_user.
 */
export const listInvoices = listing([], 'i.created_at desc, i.id desc')

/** Overdue invoices, the longest overdue first. Index invoice_unpaid or invoice_due_to_application. */
export const listOverdue = listing(
  [isUnpaid('i'), `i.due_date < (now() at time zone 'utc')::date`],
  'i.due_date, i.id',
)
