import { refundInvoice, refundInvoiceByHand } from '#contract/billing/refunds.ts'
import type { Refund, refundReasons } from '#contract/billing/shapes.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import type { Till } from '../charges/till.ts'
import { keyOf } from '../keys.ts'
import { type Asked, begin } from './begin.ts'
import { awaited, giveBack } from './give-back.ts'
import { showRefund } from './refund.json.ts'

type Body = {
  amountCents?: number
  reason?: (typeof refundReasons)[number]
  createRectifyingInvoice?: boolean
  paymentIntentId?: string
  idempotencyKey?: string
}

/** Refunds money that the gateway collected (RFD-1). */
export const refund = workflow(
  refundInvoice,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    refundOnce(services, caller, transact, {
      ...askedFor(params.id, body, idempotencyKey),
      userId: body.userId,
    }),
)

/** The same for people. */
export const refundByHand = workflow(
  refundInvoiceByHand,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    refundOnce(services, caller, transact, askedFor(params.id, body, idempotencyKey)),
)

function askedFor(invoiceId: string, body: Body, header: string | undefined): Asked {
  const { idempotencyKey = header, ...call } = body
  return {
    invoiceId,
    amountCents: body.amountCents,
    reason: body.reason ?? null,
    rectifies: body.createRectifyingInvoice ?? false,
    intentId: body.paymentIntentId,
    key: keyOf(idempotencyKey, { ...call, invoiceId }),
  }
}

async function refundOnce(till: Till, caller: Caller, transact: Transact, asked: Asked): Promise<Refund> {
  const { organizationId } = caller
  const subject: AuditSubject = { subject: asked.invoiceId, changed: ['refund'] }
  const begun = await transact(tx => begin(tx, caller, asked, subject), subject)
  const known = begun.partIds
    ? await giveBack(till, organizationId, begun.refund.id, begun.partIds)
    : await awaited(till, organizationId, begun.refund)
  return showRefund(known)
}
