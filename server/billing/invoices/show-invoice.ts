import type { Invoice } from '#contract/billing/invoice.ts'
import type { Db } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { budgetFor } from '#server/crm/index.ts'
import { listPayments } from '../payments/payment-list.sql.ts'
import { showInvoice } from './invoice.json.ts'
import type { InvoiceRow } from './invoice.row.ts'
import { listRectifying } from './rectifying/rectifying.sql.ts'

/** The reply of a whole invoice, with its budget, its payments and the invoices that rectify it. */
export async function showWholeInvoice(db: Db, caller: Caller, invoice: InvoiceRow): Promise<Invoice> {
  // a draft has no payments and cannot be rectified
  const isDraft = invoice.lifecycle === 'DRAFT'
  const [payments, rectifying, budget] = await Promise.all([
    isDraft ? [] : listPayments(db, invoice.id),
    isDraft ? [] : listRectifying(db, invoice.id),
    invoice.budget_id === null ? null : budgetFor(db, invoice.budget_id),
  ])
  return showInvoice(caller, invoice, { payments, rectifying, budget })
}
