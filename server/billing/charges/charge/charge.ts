import { chargeInvoice, chargeInvoiceByHand } from '#contract/billing/charges.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import { keyOf } from '../../keys.ts'
import { outcomeOf, showCharge } from '../answer.ts'
import { cancelWaiting } from '../cancel.ts'
import { collect } from '../collect.ts'
import { gatewayAt, type Till } from '../till.ts'
import { type Asked, begin } from './begin.ts'

type Body = { paymentAuthorizationId?: string; paymentMethodId?: string; idempotencyKey?: string }

/** Charges an invoice without its user being present (CHG-1). */
export const charge = workflow(
  chargeInvoice,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    chargeOnce(services, caller, transact, {
      ...askedFor(params.id, body, idempotencyKey),
      userId: body.userId,
    }),
)

/** The same for people. */
export const chargeByHand = workflow(chargeInvoiceByHand, ({ services, caller, transact, params, body }) =>
  chargeOnce(services, caller, transact, askedFor(params.id, body, undefined)),
)

function askedFor(invoiceId: string, body: Body, header: string | undefined): Asked {
  const { idempotencyKey: text = header, ...rest } = body
  return {
    invoiceId,
    authorizationId: body.paymentAuthorizationId,
    methodId: body.paymentMethodId,
    key: keyOf(text, { ...rest, invoiceId }),
  }
}

/** Somebody may begin another charge each time that one was cancelled for this one. */
const rounds = 3

async function chargeOnce(till: Till, caller: Caller, transact: Transact, asked: Asked): Promise<Charge> {
  const { organizationId } = caller
  const subject = { subject: asked.invoiceId, changed: ['charge'] }
  for (let round = 0; round < rounds; round++) {
    const begun = await transact(tx => begin(tx, caller, asked), subject)
    if (begun.as === 'waits') {
      await cancelWaiting(till, { organizationId, id: begun.attempt.id })
      continue
    }
    const known =
      begun.as === 'begun'
        ? await collect(till, organizationId, begun.attempt, gatewayAt(till, organizationId, begun.account))
        : await outcomeOf(till.database.of(organizationId), begun.attempt)
    return showCharge(till, organizationId, known)
  }
  return fail('CHARGE_IN_PROGRESS')
}
