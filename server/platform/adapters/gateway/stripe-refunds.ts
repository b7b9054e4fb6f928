import type Stripe from 'stripe'
import type { Gateway, GatewayDispute, GatewayRefund } from './port.ts'
import { idOf, type StripeCall } from './stripe-responses.ts'

/** Refunds and disputes at Stripe. */
export function refundsOf(
  ask: StripeCall,
): Pick<Gateway, 'createRefund' | 'readRefund' | 'listRefundsOf' | 'listDisputesOf'> {
  return {
    createRefund: ({ intentId, amountCents, reason, metadata }, key) =>
      ask(async ({ refunds }) =>
        refundOf(
          await refunds.create(
            {
              payment_intent: intentId,
              amount: amountCents,
              metadata,
              ...(reason !== null && { reason: reason as Stripe.RefundCreateParams.Reason }),
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    readRefund: id => ask(async ({ refunds }) => refundOf(await refunds.retrieve(id))),
    listRefundsOf: intentId =>
      ask(async ({ refunds }) => {
        const found: GatewayRefund[] = []
        for await (const refund of refunds.list({ payment_intent: intentId, limit: 100 }))
          found.push(refundOf(refund))
        return found
      }),
    listDisputesOf: intentId =>
      ask(async ({ disputes }) => {
        const found: GatewayDispute[] = []
        for await (const dispute of disputes.list({ payment_intent: intentId, limit: 100 }))
          found.push(disputeOf(dispute))
        return found
      }),
  }
}

const refundStatuses: Record<string, GatewayRefund['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
}

function refundOf(refund: Stripe.Refund): GatewayRefund {
  const { id, payment_intent, amount, currency, status, failure_reason, metadata } = refund
  return {
    id,
    intentId: idOf(payment_intent) ?? '',
    amountCents: amount,
    currency,
    metadata: metadata ?? {},
    // `requires_action` is pending too: the holder must say where the money goes
    status: refundStatuses[status ?? ''] ?? 'pending',
    failureCode: failure_reason ?? null,
  }
}

const endedDisputes = new Set<string>(['won', 'lost', 'prevented', 'warning_closed'])

/** Amounts are in the currency of the charge, like those of movements. */
function disputeOf({ id, amount, status, is_charge_refundable, balance_transactions }: Stripe.Dispute) {
  return {
    id,
    movedCents: balance_transactions.map(moved => (moved.amount < 0 ? -amount : amount)),
    holdsRefunds: !is_charge_refundable && !endedDisputes.has(status),
  } satisfies GatewayDispute
}
