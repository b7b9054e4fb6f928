import { listRefunds } from '#contract/billing/refunds.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { showRefund } from './refund.json.ts'
import { listRefundsOfInvoice } from './refund.sql.ts'

export const list = query(listRefunds, async ({ db, caller, params }) => {
  await invoiceFor(db, caller, params.id)
  return { items: (await listRefundsOfInvoice(db, params.id)).map(showRefund) }
})
