import { readInvoice } from '#contract/billing/invoices.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from './invoice.access.ts'
import { showWholeInvoice } from './show-invoice.ts'

export const read = query(readInvoice, async ({ db, caller, params, query }) =>
  showWholeInvoice(db, caller, await invoiceFor(db, caller, params.id, query.userId)),
)
