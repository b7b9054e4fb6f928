import type { Invoice } from '#contract/billing/invoice.ts'
import type { Caller } from '#platform/caller.ts'
import type { Db } from '#platform/db/database.ts'
import { paymentsOf } from '../payments/listing/store.ts'
import { rectifyingOf } from './rectifying/store.ts'
import type { InvoiceRow } from './row.ts'
import { showInvoice } from './show.ts'

/** An invoice as its operations answer it, with what was paid of it and what rectifies it. */
export async function wholeInvoiceOf(db: Db, caller: Caller, invoice: InvoiceRow): Promise<Invoice> {
  // nothing is paid of a draft, and nothing rectifies it
  if (invoice.lifecycle === 'DRAFT') return showInvoice(caller, invoice, [], [])
  const [payments, rectifying] = await Promise.all([paymentsOf(db, invoice.id), rectifyingOf(db, invoice.id)])
  return showInvoice(caller, invoice, payments, rectifying)
}
