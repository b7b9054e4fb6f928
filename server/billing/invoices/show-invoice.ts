import type { Invoice } from '#contract/billing/invoice.ts'
import type { Db } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'
import { listPayments } from '../payments/payment-list.sql.ts'
import { showInvoice } from './invoice.json.ts'
import type { InvoiceRow } from './invoice.row.ts'
import { listRectifying } from './rectifying/rectifying.sql.ts'

/** An invoice as its operations answer it, with what was paid of it and what rectifies it. */
export async function showWholeInvoice(db: Db, caller: Caller, invoice: InvoiceRow): Promise<Invoice> {
  // nothing is paid of a draft, and nothing rectifies it
  if (invoice.lifecycle === 'DRAFT') return showInvoice(caller, invoice, [], [])
  const [payments, rectifying] = await Promise.all([
    listPayments(db, invoice.id),
    listRectifying(db, invoice.id),
  ])
  return showInvoice(caller, invoice, payments, rectifying)
}
