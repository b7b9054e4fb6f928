import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { Charge, chargeStatuses, UserId } from './shapes.ts'

const chosen = {
  paymentAuthorizationId: Type.Optional(Id),
  paymentMethodId: Type.Optional(Id),
  idempotencyKey: Type.Optional(Text(limits.idempotencyKey, 1)),
}
const direct = { alsoModule: 'card_payments', capability: 'finance.direct_debit' } as const
const refusals = [
  'INVOICE_NOT_ACCESSIBLE',
  'INVOICE_STATE_INVALID',
  'INVOICE_ALREADY_PAID',
  'INVOICE_RECTIFIED',
  'CHARGE_IN_PROGRESS',
  'GATEWAY_ACCOUNT_NOT_READY',
  'BILLING_CURRENCY_NOT_SUPPORTED',
] as const
const refusalsOfCards = [
  ...refusals,
  'IDEMPOTENCY_KEY_REUSED',
  'PAYMENT_AUTHORIZATION_REQUIRED',
  'PAYMENT_AUTHORIZATION_NOT_ACTIVE',
  'PAYMENT_METHOD_NOT_FOUND',
  'PAYMENT_METHOD_INACTIVE',
] as const

export const chargeInvoice = operation('POST /invoices/:id/charge', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...byApplications('billing:charge'),
  ...direct,
  summary: 'Charge an invoice without the user being present',
  description:
    'Collects the amount due. Needs a payment authorization of the user. An `idempotencyKey` (or the header ' +
    'Idempotency-Key) is valid for a day: the same key gets the first reply again and never charges twice. ' +
    'While a charge is PROCESSING, no other charge of the invoice can start.',
  params: { id: Id },
  body: { userId: UserId, ...chosen },
  reply: Charge,
  errors: refusalsOfCards,
})

export const chargeInvoiceByHand = operation('POST /invoices/:id/charge', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  ...direct,
  summary: 'Charge an invoice of an application’s user',
  params: { id: Id },
  body: chosen,
  bodyOptional: true,
  reply: Charge,
  errors: refusalsOfCards,
})

export const payInvoice = operation('POST /invoices/:id/pay', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...byApplications('crm:invoices:write'),
  alsoModule: 'card_payments',
  summary: 'Let a user who is present pay an invoice',
  description:
    'Replies REQUIRES_ACTION: show the card form on your own page with `clientSecret`, or send the user to ' +
    '`publicUrl`. A payment that already waits for the user is continued. INVOICE_PAID reports the payment.',
  params: { id: Id },
  body: { userId: UserId },
  reply: Charge,
  errors: refusals,
})

export const ChargeAttempt = Type.Object({
  id: Id,
  kind: OneOf(['OFF_SESSION', 'ON_SESSION', 'DIRECT_DEBIT'], {
    description: 'ON_SESSION: the payer is present. DIRECT_DEBIT: collected by the bank',
  }),
  status: OneOf(chargeStatuses),
  amountCents: Cents,
  currency: Type.String(),
  paymentIntentId: Nullable(Type.String()),
  paymentAuthorizationId: Nullable(Id),
  failureCode: Nullable(Type.String()),
  failureMessage: Nullable(Type.String()),
  declineCode: Nullable(Type.String()),
  createdAt: Time,
  endedAt: Nullable(Time),
})
export type ChargeAttempt = Static<typeof ChargeAttempt>

export const listCharges = operation('GET /invoices/:id/charges', {
  ...toView,
  summary: 'List the charges of an invoice, newest first',
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(ChargeAttempt) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
