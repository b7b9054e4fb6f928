import { type Gateway, GatewayRefused, type Intent, isOfGateway } from '#platform/adapters/gateway.ts'
import type { AttemptRow } from './charge.row.ts'
import { findAttempt, setAttemptIntent } from './charge.sql.ts'
import { endUnmade, settleAt } from './settle.ts'
import { type Till, transactFor } from './till.ts'

/**
 * Asks the gateway for the money of an attempt that has just begun, in two steps: an intent that cannot collect yet, and
 * once its id is kept the leave to collect. From then on the gateway can be asked what became of it, whatever is lost on
 * the way. Answers what is known at the end of that: maybe no more than that it is in progress. A payer who is there gives
 * that leave themselves.
 */
export async function collect(
  till: Till,
  organizationId: string,
  begun: AttemptRow,
  gateway: Gateway,
): Promise<AttemptRow> {
  const intent = await made(gateway, organizationId, begun)
  if (!('id' in intent)) return endUnmade(till, { organizationId, id: begun.id }, intent.failure)
  const attempt = await transactFor(till, organizationId, tx => setAttemptIntent(tx, begun.id, intent.id))
  if (!attempt) {
    // the worker was sure that this process had ended; nobody knows the intent, and nobody can confirm it
    await known(gateway.cancelIntent(intent.id, `${begun.id}:cancel:0`))
    return (await findAttempt(till.database.of(organizationId), begun.id))!
  }
  const asked = { organizationId, attempt, gateway }
  if (attempt.kind === 'ON_SESSION') return settleAt(till, asked)
  const refused = await known(
    gateway.confirmIntent(intent.id, { isOffSession: true }, `${attempt.id}:confirm`),
  )
  return settleAt(till, asked, { ...(refused && { refusal: refused.failure }) })
}

/** The intent, or why there is none that could collect anything. */
async function made(
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
    if (isOfGateway(error)) return {}
    throw error
  }
}

/** Waits for an answer of the gateway; undefined, unless it refused for sure: what was done is looked at afterwards. */
async function known(asked: Promise<unknown>): Promise<GatewayRefused | undefined> {
  try {
    await asked
  } catch (error) {
    if (error instanceof GatewayRefused) return error
    if (!isOfGateway(error)) throw error
  }
  return undefined
}
