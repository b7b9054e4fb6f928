import { readInvoice } from '#contract/billing/invoices.ts'
import { query } from '#platform/http/operation.ts'
import { wholeInvoiceOf } from './beside.ts'
import { invoiceFor } from './invoice.access.ts'

export const read = query(readInvoice, async ({ db, caller, params, query }) =>
  wholeInvoiceOf(db, caller, await invoiceFor(db, caller, params.id, query.userId)),
)
