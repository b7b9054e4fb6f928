import { gatewayOf, type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { bookDisputes } from '../ledger/ledger.sql.ts'
import { findPaymentByIntent } from '../payments/payment.sql.ts'

/**
 * Looks at the disputes of a payment because of a notice: what they took, or gave back, is entered in the ledger, and while
 * money is gone or one of them holds it nothing of that payment can be given back. Passes over intents of others.
 */
export async function bookDisputesOnNotice(
  context: PaymentContext,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, intentId }: { about: string; intentId: string | null },
): Promise<void> {
  if (about !== 'dispute' || intentId === null) return
  const payment = await findPaymentByIntent(context.database.of(organizationId), accountId, intentId)
  if (!payment) return
  const gateway = await gatewayOf(context, organizationId, accountId)
  const disputes = await gateway.listDisputesOf(intentId)
  const isNew = await transactAsSystem(context, organizationId, async tx => {
    await lockInvoiceById(tx, payment.invoice_id)
    return bookDisputes(tx, payment.id, disputes)
  })
  const data = { organizationId, invoiceId: payment.invoice_id, paymentId: payment.id }
  if (isNew) context.log?.error(data, 'a payment is disputed, or no longer')
}
