import type { ChargeAttempt } from '#contract/billing/charges.ts'
import { listCharges } from '#contract/billing/charges.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import type { AttemptRow } from './charge.row.ts'
import { chargeStatusOf } from './charge.rules.ts'
import { listAttempts } from './charge.sql.ts'

export const list = query(listCharges, async ({ db, caller, params }) => {
  await invoiceFor(db, caller, params.id)
  return { items: (await listAttempts(db, params.id)).map(show) }
})

function show(attempt: AttemptRow): ChargeAttempt {
  return {
    id: attempt.id,
    kind: attempt.kind,
    status: chargeStatusOf(attempt),
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    paymentIntentId: attempt.payment_intent_id,
    paymentAuthorizationId: attempt.authorization_id,
    failureCode: attempt.failure_code,
    failureMessage: attempt.failure_message,
    declineCode: attempt.decline_code,
    createdAt: attempt.created_at,
    endedAt: attempt.ended_at,
  }
}
