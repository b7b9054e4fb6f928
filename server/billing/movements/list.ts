import { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { showListedCharge, showListedPayment, showListedRefund } from './movement.json.ts'
import { movementFiltersOf } from './movement.rules.ts'
import { listCharges, listPayments, listRefunds } from './movement.sql.ts'

/** Lists the payments of all invoices (PAY-10, PAY-11). */
export const payments = query(listAllPayments, async ({ db, query }) => {
  const page = numberedPageOf(query)
  const { rows, total } = await listPayments(db, movementFiltersOf(query), page)
  return paginated(rows.map(showListedPayment), { ...page, total, pages: limits.invoicePages })
})

/** Lists the charges of all invoices (CHG-22). */
export const charges = query(listAllCharges, async ({ db, query }) => {
  const page = numberedPageOf(query)
  const { rows, total } = await listCharges(db, movementFiltersOf(query), page)
  return paginated(rows.map(showListedCharge), { ...page, total, pages: limits.invoicePages })
})

/** Lists the refunds of all invoices (RFD-17). */
export const refunds = query(listAllRefunds, async ({ db, query }) => {
  const page = numberedPageOf(query)
  const { rows, total } = await listRefunds(db, movementFiltersOf(query), page)
  return paginated(rows.map(showListedRefund), { ...page, total, pages: limits.invoicePages })
})
