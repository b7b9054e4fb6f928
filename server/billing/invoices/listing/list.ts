import { listInvoices as contract } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { showSummary } from '../invoice.json.ts'
import { filterInvoices } from './invoice-filters.sql.ts'
import { filtersOf } from './invoice-list.rules.ts'
import { listInvoices, listOverdue } from './invoice-list.sql.ts'

const newestFirst = { orderBy: 'createdAt', order: 'desc' } as const
const overdueFirst = { orderBy: 'dueDate', order: 'asc' } as const

/** Lists invoices, the newest first (INV-30 to INV-36). */
export const list = query(contract, async ({ db, caller, query }) => {
  const { ids = null } = query
  const { page, limit, offset } = numberedPageOf(ids ? { ...query, limit: limits.invoicesById } : query)
  const filters = { ...filtersOf(caller, query), ids }
  const usual = filters.isOverdue ? overdueFirst : newestFirst
  const sorting = query.orderBy ? { orderBy: query.orderBy, order: query.order ?? 'desc' } : usual
  const { budgetId, isUnpaid, issuedFrom, issuedTo, dueFrom, dueTo } = filters
  // the usual lists have a statement for each combination of their filters, which reads only its page
  const isUsual =
    sorting.orderBy === usual.orderBy &&
    sorting.order === usual.order &&
    !isUnpaid &&
    [ids, budgetId, issuedFrom, issuedTo, dueFrom, dueTo].every(value => value === null)
  const { rows, total } = await (isUsual
    ? (filters.isOverdue ? listOverdue : listInvoices)(db, filters, { limit, offset })
    : filterInvoices(db, filters, sorting, { limit, offset }))
  return paginated(rows.map(showSummary), { page, limit, total, pages: limits.invoicePages })
})
