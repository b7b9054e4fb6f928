import type { Invoice } from '#contract/billing/invoice.ts'
import type { Db } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'
import { listPayments } from '../payments/payment-list.sql.ts'
import { showInvoice } from './invoice.json.ts'
import type { InvoiceRow } from './invoice.row.ts'
import { listRectifying } from './rectifying/rectifying.sql.ts'

/** The reply of a whole invoice, with its payments and the invoices that rectify it. */
export async function showWholeInvoice(db: Db, caller: Caller, invoice: InvoiceRow): Promise<Invoice> {
  // a draft has no payments and cannot be rectified
  if (invoice.lifecycle === 'DRAFT') return showInvoice(caller, invoice, [], [])
  const [payments, rectifying] = await Promise.all([
    listPayments(db, invoice.id),
    listRectifying(db, invoice.id),
  ])
  return showInvoice(caller, invoice, payments, rectifying)
}
