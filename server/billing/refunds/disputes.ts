import { nowMs } from '#platform/clock.ts'
import { gatewayOf, type Till, transactFor } from '../charges/till.ts'
import { lockInvoiceById } from '../invoices/access.ts'
import { bookDispute } from '../ledger/store.ts'
import { findPaymentOf } from '../payments/store.ts'

/** Notices come late, and again for three days. */
const windowMs = 3 * 86_400_000

/**
 * Looks for what a dispute has taken of a payment lately, or given back, because of a notice: money that moved is entered in
 * the ledger, and while it is gone nothing of that payment can be given back. Passes over intents of others.
 */
export async function disputeByHint(
  till: Till,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, objectId, intentId }: { about: string; objectId: string; intentId: string | null },
): Promise<void> {
  if (about !== 'dispute' || intentId === null) return
  const payment = await findPaymentOf(till.database.of(organizationId), accountId, intentId)
  if (!payment) return
  const gateway = await gatewayOf(till, organizationId, accountId)
  const now = nowMs()
  // clocks may differ a little
  for await (const moved of gateway.listMovements(new Date(now - windowMs), new Date(now + 60_000))) {
    if (moved.kind !== 'DISPUTE' || moved.objectId !== objectId || moved.intentId !== intentId) continue
    const isNew = await transactFor(till, organizationId, async tx => {
      await lockInvoiceById(tx, payment.invoice_id)
      return bookDispute(tx, {
        ...{ paymentId: payment.id, disputeId: moved.objectId, amountCents: moved.amountCents },
      })
    })
    if (isNew) {
      const about = { organizationId, invoiceId: payment.invoice_id, amountCents: moved.amountCents }
      till.log?.error(about, 'a payment is disputed')
    }
  }
}
