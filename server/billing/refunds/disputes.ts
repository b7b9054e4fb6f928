import { gatewayOf, type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { bookDisputes } from '../ledger/ledger.sql.ts'
import { findPaymentByIntent } from '../payments/payment.sql.ts'

/**
 * Books the disputes of a payment after a notice. The ledger receives the amounts that a dispute withdrew or returned,
 * and the payment cannot be refunded while money is withdrawn or a dispute prevents it. Ignores unknown intents.
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
  if (isNew) context.log?.error(data, 'a dispute of a payment changed')
}
