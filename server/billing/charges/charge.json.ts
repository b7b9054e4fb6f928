import type { ChargeAttempt } from '#contract/billing/charges.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { isGatewayError } from '#platform/adapters/gateway.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { required } from '#platform/required.ts'
import { pollWhile } from '../poll-while.ts'
import { actionUrl } from './action-link.ts'
import type { AttemptRow, ListedAttemptRow } from './charge.row.ts'
import { chargeStatusOf, isRunning } from './charge.rules.ts'
import { readAttempt } from './charge.sql.ts'
import { gatewayOf, type PaymentContext } from './payment-context.ts'

const waitMs = 25_000

/** Waits while another request works on an attempt, for 25 seconds at most, and returns its latest state. */
export function waitForAttempt(db: Db, attempt: AttemptRow): Promise<AttemptRow> {
  const giveUpAt = monotonicMs() + waitMs
  return pollWhile(
    attempt,
    row => isRunning(row) && monotonicMs() < giveUpAt,
    () => readAttempt(db, attempt.id),
  )
}

/**
 * The reply to a charge. A repeated call gets the same reply: the client secret is read from the gateway and never
 * stored.
 */
export async function showCharge(
  context: PaymentContext,
  organizationId: string,
  attempt: AttemptRow,
): Promise<Charge> {
  const status = chargeStatusOf(attempt)
  const needsAction = status === 'REQUIRES_ACTION'
  const hasFailed = status === 'FAILED'
  return {
    status,
    paymentIntentId: attempt.payment_intent_id,
    invoiceId: attempt.invoice_id,
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    publicUrl: needsAction
      ? actionUrl(
          context,
          organizationId,
          required(attempt.link_id, 'the link of an attempt that waits for its payer'),
        )
      : null,
    clientSecret: needsAction ? await clientSecretOf(context, organizationId, attempt) : null,
    failureCode: hasFailed ? attempt.failure_code : null,
    failureMessage: hasFailed ? attempt.failure_message : null,
  }
}

/** Null while the gateway does not answer; `publicUrl` works in any case. */
async function clientSecretOf(
  context: PaymentContext,
  organizationId: string,
  attempt: AttemptRow,
): Promise<string | null> {
  const { gateway_account_id: accountId, payment_intent_id: intentId } = attempt
  if (accountId === null || intentId === null)
    throw new Error(`The attempt ${attempt.id} waits for its payer without an intent`)
  const gateway = await gatewayOf(context, organizationId, accountId)
  try {
    return (await gateway.readIntent(intentId)).clientSecret
  } catch (error) {
    if (isGatewayError(error)) return null
    throw error
  }
}

/** A charge in a list. */
export function showAttempt(attempt: ListedAttemptRow): ChargeAttempt {
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
