import { readInvoice } from '#contract/billing/invoices.ts'
import { reads } from '#platform/serve.ts'
import { invoiceFor } from './access.ts'
import { wholeInvoiceOf } from './beside.ts'

export const read = reads(readInvoice, async ({ db, caller, params, query }) =>
  wholeInvoiceOf(db, caller, await invoiceFor(db, caller, params.id, query.userId)),
)
