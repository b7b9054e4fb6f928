import { refundInvoice, refundInvoiceByHand } from '#contract/billing/refunds.ts'
import type { Refund, refundReasons } from '#contract/billing/shapes.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { showRefund } from './refund.json.ts'
import { type RefundRequest, startRefund } from './start-refund.ts'
import { submitRefund, waitForRefund } from './submit-refund.ts'

type Body = {
  amountCents?: number
  reason?: (typeof refundReasons)[number]
  createRectifyingInvoice?: boolean
  paymentIntentId?: string
  refundableCents?: number
  idempotencyKey?: string
}

/** Refunds money that the gateway collected (RFD-1). */
export const refund = workflow(
  refundInvoice,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    refundOnce(services, caller, transact, {
      ...refundRequestOf(params.id, body, idempotencyKey),
      userId: body.userId,
    }),
)

/** The same for members. */
export const refundByHand = workflow(
  refundInvoiceByHand,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    refundOnce(services, caller, transact, refundRequestOf(params.id, body, idempotencyKey)),
)

function refundRequestOf(invoiceId: string, body: Body, header: string | undefined): RefundRequest {
  // a repeated call is the same one, also after its own refund changed what is refundable
  const { idempotencyKey = header, refundableCents, ...call } = body
  return {
    invoiceId,
    amountCents: body.amountCents,
    refundableCents,
    reason: body.reason ?? null,
    rectifies: body.createRectifyingInvoice ?? false,
    intentId: body.paymentIntentId,
    key: idempotencyKeyOf(idempotencyKey, { ...call, invoiceId }),
  }
}

async function refundOnce(
  context: PaymentContext,
  caller: Caller,
  transact: Transact,
  request: RefundRequest,
): Promise<Refund> {
  const { organizationId } = caller
  const subject: AuditSubject = { subject: request.invoiceId, changed: ['refund'] }
  const started = await transact(tx => startRefund(tx, caller, request, subject), subject)
  const known = started.partIds
    ? await submitRefund(context, organizationId, started.refund.id, started.partIds)
    : await waitForRefund(context, organizationId, started.refund)
  return showRefund(known)
}
