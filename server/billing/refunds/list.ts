import { listRefunds } from '#contract/billing/refunds.ts'
import { reads } from '#platform/serve.ts'
import { invoiceFor } from '../invoices/access.ts'
import { showRefund } from './show.ts'
import { refundsOfInvoice } from './store.ts'

export const list = reads(listRefunds, async ({ db, caller, params }) => {
  await invoiceFor(db, caller, params.id)
  return { items: (await refundsOfInvoice(db, params.id)).map(showRefund) }
})
