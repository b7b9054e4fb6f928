import { listLedger } from '#contract/billing/ledger.ts'
import { reads } from '#platform/serve.ts'
import { invoiceFor } from '../invoices/access.ts'
import { ledgerOf } from './store.ts'

export const list = reads(listLedger, async ({ db, caller, query }) => {
  await invoiceFor(db, caller, query.invoiceId)
  return ledgerOf(db, query.invoiceId)
})
