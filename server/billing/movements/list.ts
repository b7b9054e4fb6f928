import { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { paginated } from '#platform/http/pagination.ts'
import { showListedCharge, showListedPayment, showListedRefund } from './movement.json.ts'
import { movementFiltersOf } from './movement.rules.ts'
import { listCharges, listPayments, listRefunds } from './movement.sql.ts'

/** Lists the payments of all invoices (PAY-10, PAY-11). */
export const payments = query(listAllPayments, async ({ db, query }) => {
  const { rows, total } = await listPayments(db, movementFiltersOf(query), rangeOf(query))
  return pageOf(rows.map(showListedPayment), total, query)
})

/** Lists the charges of all invoices (CHG-22). */
export const charges = query(listAllCharges, async ({ db, query }) => {
  const { rows, total } = await listCharges(db, movementFiltersOf(query), rangeOf(query))
  return pageOf(rows.map(showListedCharge), total, query)
})

/** Lists the refunds of all invoices (RFD-17). */
export const refunds = query(listAllRefunds, async ({ db, query }) => {
  const { rows, total } = await listRefunds(db, movementFiltersOf(query), rangeOf(query))
  return pageOf(rows.map(showListedRefund), total, query)
})

type PageQuery = { page?: number; limit?: number }

function rangeOf({ page = 1, limit = limits.pageLimitDefault }: PageQuery) {
  return { limit, offset: (page - 1) * limit }
}

function pageOf<Item>(data: Item[], total: number, { page = 1, limit = limits.pageLimitDefault }: PageQuery) {
  return paginated(data, { page, limit, total, pages: limits.invoicePages })
}
