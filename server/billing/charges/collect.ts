import { type Gateway, GatewayRefused, type Intent, isGatewayError } from '#platform/adapters/gateway.ts'
import type { AttemptRow } from './charge.row.ts'
import { readAttempt, setAttemptIntent } from './charge.sql.ts'
import { type PaymentContext, transactAsSystem } from './payment-context.ts'
import { failUnsentAttempt, settleLoadedAttempt } from './settle.ts'

/**
 * Collects the money of a new attempt in two steps. The first creates an intent that cannot collect yet; the second
 * confirms it once its id is stored. From then on the result can be read from the gateway, whatever answer is lost.
 * Returns what is known at that point, which may only be that the payment is in progress. A payer who is present
 * confirms it themselves.
 */
export async function collectAttempt(
  context: PaymentContext,
  organizationId: string,
  started: AttemptRow,
  gateway: Gateway,
): Promise<AttemptRow> {
  const intent = await tryCreateIntent(gateway, organizationId, started)
  if (!('id' in intent)) return failUnsentAttempt(context, { organizationId, id: started.id }, intent.failure)
  const attempt = await transactAsSystem(context, organizationId, tx =>
    setAttemptIntent(tx, started.id, intent.id),
  )
  if (!attempt) {
    // the worker gave this process up; nobody else knows the intent or can confirm it
    await refusalOf(gateway.cancelIntent(intent.id, `${started.id}:cancel:0`))
    return readAttempt(context.database.of(organizationId), started.id)
  }
  const target = { organizationId, attempt, gateway }
  if (attempt.kind === 'ON_SESSION') return settleLoadedAttempt(context, target)
  const refused = await refusalOf(
    gateway.confirmIntent(intent.id, { isOffSession: true }, `${attempt.id}:confirm`),
  )
  return settleLoadedAttempt(context, target, { ...(refused && { refusal: refused.failure }) })
}

/** The intent, or the reason why none was created. */
async function tryCreateIntent(
  gateway: Gateway,
  organizationId: string,
  attempt: AttemptRow,
): Promise<Intent | Partial<Pick<GatewayRefused, 'failure'>>> {
  const {
    amount_cents: amountCents,
    currency,
    customer_id: customerId,
    gateway_method_id: methodId,
  } = attempt
  const metadata = { organizationId, invoiceId: attempt.invoice_id, attemptId: attempt.id }
  try {
    return await gateway.createIntent(
      { amountCents, currency, customerId, methodId, metadata },
      `${attempt.id}:create`,
    )
  } catch (error) {
    if (error instanceof GatewayRefused) return { failure: error.failure }
    if (isGatewayError(error)) return {}
    throw error
  }
}

/** Returns a definite refusal. For any other result the caller reads the intent again. */
async function refusalOf(target: Promise<unknown>): Promise<GatewayRefused | undefined> {
  try {
    await target
  } catch (error) {
    if (error instanceof GatewayRefused) return error
    if (!isGatewayError(error)) throw error
  }
  return undefined
}
