import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, OneOf, Text } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toRefund, toView } from './auth.ts'
import { Refund, refundReasons, UserId } from './shapes.ts'

const refundRequest = {
  amountCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.invoiceCents,
      description: 'Defaults to everything that the gateway collected and that is not refunded yet',
    }),
  ),
  reason: Type.Optional(OneOf(refundReasons)),
  createRectifyingInvoice: Type.Optional(Type.Boolean({ default: false })),
  paymentIntentId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.gatewayKey,
      description: 'Refunds one of several payments; by default the newest is refunded first',
    }),
  ),
  idempotencyKey: Type.Optional(Text(limits.idempotencyKey, 1)),
}
const shared = {
  alsoModule: 'card_payments',
  summary: 'Refund a payment',
  description:
    'Refunds money that the gateway collected. PENDING: the gateway takes its time or does not answer; ' +
    'INVOICE_REFUNDED or INVOICE_REFUND_FAILED reports the result. An `idempotencyKey` (or the header ' +
    'Idempotency-Key) is valid for a day: the same key never refunds twice. A refunded amount is not due ' +
    'again. `createRectifyingInvoice` drafts an invoice that takes the amount off this one.',
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
  announces: { event: 'invoice.changed', id: 'id' },
  ...byApplications('billing:refund'),
  ...shared,
  body: { userId: UserId, ...refundRequest },
})

export const refundInvoiceByHand = operation('POST /invoices/:id/refund', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toRefund,
  ...shared,
  body: {
    ...refundRequest,
    refundableCents: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.invoiceCents,
        description: 'The refundable amount that the caller saw; if it has changed, REFUND_NOT_ALLOWED',
      }),
    ),
  },
  bodyOptional: true,
  isIdempotent: true,
})

export const listRefunds = operation('GET /invoices/:id/refunds', {
  ...toView,
  summary: 'List the refunds of an invoice, newest first',
  description: 'Includes refunds that were made in the gateway’s dashboard.',
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Refund) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
