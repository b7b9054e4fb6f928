import { payInvoice } from '#contract/billing/charges.ts'
import { workflow } from '#platform/http/operation.ts'
import { lockInvoice } from '../../invoices/invoice.access.ts'
import { showCharge } from '../charge.json.ts'
import { openPayment } from './open-payment.ts'

/** Opens a payment for a user who is present (CHG-15). */
export const pay = workflow(payInvoice, async ({ services, caller, transact, params, body }) => {
  const attempt = await openPayment(services, caller.organizationId, caller.applicationId, begin =>
    transact(async tx => begin(tx, await lockInvoice(tx, caller, params.id, body.userId)), {
      subject: params.id,
      changed: ['payment'],
    }),
  )
  return showCharge(services, caller.organizationId, attempt)
})
