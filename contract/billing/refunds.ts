import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, OneOf, Text } from '../shapes.ts'
import { byApplications, toRefund, toView } from './auth.ts'
import { Refund, refundReasons, UserId } from './shapes.ts'

const asked = {
  amountCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.invoiceCents,
      description: 'Everything that the gateway collected and has not given back, when it is left out',
    }),
  ),
  reason: Type.Optional(OneOf(refundReasons)),
  createRectifyingInvoice: Type.Optional(Type.Boolean({ default: false })),
  paymentIntentId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.gatewayKey,
      description: 'One of several payments; left out: the newest first',
    }),
  ),
  idempotencyKey: Type.Optional(Text(limits.idempotencyKey, 1)),
}
const promised = {
  alsoModule: 'card_payments',
  summary: 'Give back money that the gateway collected',
  description:
    'PENDING: the gateway takes its time, or does not answer; INVOICE_REFUNDED or INVOICE_REFUND_FAILED tells what came of ' +
    'it. An `idempotencyKey` (or the header Idempotency-Key) is good for a day: the same key never gives back twice. What is ' +
    'given back is not due again. `createRectifyingInvoice` begins the invoice that takes as much off this one.',
  params: { id: Id },
  reply: Refund,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'IDEMPOTENCY_KEY_REUSED',
    'REFUND_NOT_ALLOWED',
    'GATEWAY_ACCOUNT_NOT_READY',
  ],
} as const

export const refundInvoice = operation('POST /invoices/:id/refund', {
  ...byApplications('billing:refund'),
  ...promised,
  body: { userId: UserId, ...asked },
})

export const refundInvoiceByHand = operation('POST /invoices/:id/refund', {
  ...toRefund,
  ...promised,
  body: asked,
  bodyOptional: true,
  isIdempotent: true,
})

export const listRefunds = operation('GET /invoices/:id/refunds', {
  ...toView,
  summary: 'What was given back of an invoice, the newest first',
  description: 'Also what was given back in the gateway’s own panel.',
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Refund) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
