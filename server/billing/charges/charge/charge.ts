import { chargeInvoice, chargeInvoiceByHand } from '#contract/billing/charges.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import { idempotencyKeyOf } from '../../idempotency-key.ts'
import { cancelWaitingAttempt } from '../cancel-waiting.ts'
import { showCharge, waitForAttempt } from '../charge.json.ts'
import { collectAttempt } from '../collect.ts'
import { openGateway, type PaymentContext } from '../payment-context.ts'
import { type ChargeRequest, startCharge } from './start-charge.ts'

type Body = { paymentAuthorizationId?: string; paymentMethodId?: string; idempotencyKey?: string }

/** Charges an invoice while its user is absent (CHG-1). */
export const charge = workflow(
  chargeInvoice,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    chargeOnce(services, caller, transact, {
      ...chargeRequestOf(params.id, body, idempotencyKey),
      userId: body.userId,
    }),
)

/** The same for members. */
export const chargeByHand = workflow(chargeInvoiceByHand, ({ services, caller, transact, params, body }) =>
  chargeOnce(services, caller, transact, chargeRequestOf(params.id, body, undefined)),
)

function chargeRequestOf(invoiceId: string, body: Body, header: string | undefined): ChargeRequest {
  const { idempotencyKey: text = header, ...rest } = body
  return {
    invoiceId,
    authorizationId: body.paymentAuthorizationId,
    methodId: body.paymentMethodId,
    key: idempotencyKeyOf(text, { ...rest, invoiceId }),
  }
}

/** Another request may start a new attempt whenever one is cancelled. */
const maxRounds = 3

async function chargeOnce(
  context: PaymentContext,
  caller: Caller,
  transact: Transact,
  request: ChargeRequest,
): Promise<Charge> {
  const { organizationId } = caller
  const subject = { subject: request.invoiceId, changed: ['charge'] }
  for (let round = 0; round < maxRounds; round++) {
    const started = await transact(tx => startCharge(tx, caller, request), subject)
    if (started.as === 'waiting') {
      await cancelWaitingAttempt(context, { organizationId, id: started.attempt.id })
      continue
    }
    const known =
      started.as === 'started'
        ? await collectAttempt(
            context,
            organizationId,
            started.attempt,
            openGateway(context, organizationId, started.account),
          )
        : await waitForAttempt(context.database.of(organizationId), started.attempt)
    return showCharge(context, organizationId, known)
  }
  return fail('CHARGE_IN_PROGRESS')
}
