import { listCharges } from '#contract/billing/charges.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { showAttempt } from './charge.json.ts'
import { listAttempts } from './charge.sql.ts'

export const list = query(listCharges, async ({ db, caller, params }) => {
  await invoiceFor(db, caller, params.id)
  return { items: (await listAttempts(db, params.id)).map(showAttempt) }
})
