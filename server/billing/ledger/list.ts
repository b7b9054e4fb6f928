import { listLedger } from '#contract/billing/ledger.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { readLedger } from './ledger.sql.ts'

export const list = query(listLedger, async ({ db, caller, query }) => {
  await invoiceFor(db, caller, query.invoiceId)
  return readLedger(db, query.invoiceId)
})
