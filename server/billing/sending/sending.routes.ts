import { listInvoiceDeliveries } from '#contract/billing/sending.ts'
import { query, type ServedOperation } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { send, sendByHand } from './send.ts'
import { showDelivery } from './sending.row.ts'
import { listDeliveries } from './sending.sql.ts'
import { templateOperations } from './templates/templates.ts'

const deliveries = query(listInvoiceDeliveries, async ({ db, caller, params }) => {
  const invoice = await invoiceFor(db, caller, params.id)
  return { items: (await listDeliveries(db, invoice.id)).map(showDelivery) }
})

export const sendingOperations: ServedOperation[] = [send, sendByHand, deliveries, ...templateOperations]
