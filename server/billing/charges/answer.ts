import type { Charge } from '#contract/billing/shapes.ts'
import { isOfGateway } from '#platform/adapters/gateway.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/database.ts'
import { lookAgain } from '../look-again.ts'
import { actionUrl } from './action-link.ts'
import type { AttemptRow } from './charge.row.ts'
import { chargeStatusOf, isRunning } from './charge.rules.ts'
import { findAttempt } from './charge.sql.ts'
import { gatewayOf, type Till } from './till.ts'

const patienceMs = 25_000

/** What came of an attempt that somebody else is at work on, or what is known after 25 seconds. */
export function outcomeOf(db: Db, attempt: AttemptRow): Promise<AttemptRow> {
  const giveUpAt = monotonicMs() + patienceMs
  return lookAgain(
    attempt,
    seen => isRunning(seen) && monotonicMs() < giveUpAt,
    async () => (await findAttempt(db, attempt.id))!,
  )
}

/** The answer to a charge, the same whenever it is asked for again. The secret is fetched, and kept nowhere. */
export async function showCharge(till: Till, organizationId: string, attempt: AttemptRow): Promise<Charge> {
  const status = chargeStatusOf(attempt)
  const isAsked = status === 'REQUIRES_ACTION'
  const hasFailed = status === 'FAILED'
  return {
    status,
    paymentIntentId: attempt.payment_intent_id,
    invoiceId: attempt.invoice_id,
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    publicUrl: isAsked ? actionUrl(till, organizationId, attempt.link_id!) : null,
    clientSecret: isAsked ? await secretOf(till, organizationId, attempt) : null,
    failureCode: hasFailed ? attempt.failure_code : null,
    failureMessage: hasFailed ? attempt.failure_message : null,
  }
}

/** Null while the gateway does not tell it: publicUrl is good all the same. */
async function secretOf(till: Till, organizationId: string, attempt: AttemptRow): Promise<string | null> {
  const gateway = await gatewayOf(till, organizationId, attempt.gateway_account_id)
  try {
    return (await gateway.readIntent(attempt.payment_intent_id!)).clientSecret
  } catch (error) {
    if (isOfGateway(error)) return null
    throw error
  }
}
