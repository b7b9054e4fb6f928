import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Id, Nullable, OneOf, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toView } from './auth.ts'

/**
 * A difference between the gateway and the ledger. MISSING_HERE: not in the ledger; MISSING_THERE: not at the
 * gateway.
 */
export const Difference = Type.Object({
  id: Id,
  kind: OneOf(['MISSING_HERE', 'MISSING_THERE', 'AMOUNT']),
  day: Type.String({ description: 'YYYY-MM-DD' }),
  gatewayObjectId: Type.String({ description: 'A payment intent, a refund or a dispute' }),
  hereCents: Nullable(Cents),
  thereCents: Nullable(Cents),
  currency: Type.String(),
  foundAt: Time,
})
export type Difference = Static<typeof Difference>

export const Reconciliation = Type.Object({
  differences: Type.Array(Difference),
  overpaid: Type.Array(
    Type.Object({
      invoiceId: Id,
      number: Nullable(Type.String()),
      currency: Type.String(),
      overpaidCents: Cents,
      refundedCents: Cents,
    }),
    { description: 'Invoices with overpaid amounts that have not been refunded' },
  ),
  stuck: Type.Array(
    Type.Object({
      chargeId: Id,
      invoiceId: Id,
      amountCents: Cents,
      currency: Type.String(),
      createdAt: Time,
    }),
    { description: 'Charges without a result for more than an hour' },
  ),
  stuckRefunds: Type.Array(
    Type.Object({
      refundId: Id,
      invoiceId: Id,
      amountCents: Cents,
      currency: Type.String(),
      askedAt: Time,
    }),
    { description: 'Parts of refunds that were requested more than an hour ago and have no answer' },
  ),
  disputed: Type.Array(
    Type.Object({ paymentId: Id, invoiceId: Id, amountCents: Cents, currency: Type.String() }),
  ),
  foreignMovements: Type.Integer({
    description:
      'Movements at the gateway during the last three days that do not belong to this organization, because ' +
      'the account is also used elsewhere. They are not differences',
  }),
})
export type Reconciliation = Static<typeof Reconciliation>

export const readReconciliation = operation('GET /reconciliation', {
  ...toView,
  summary: 'Get differences and other payment problems',
  description:
    'Every night the movements at the gateway are compared with the ledger. Movements of payments that were ' +
    `requested here are booked; the rest are differences. At most ${limits.reconciliationShown} of each kind.`,
  reply: Reconciliation,
})

export const settleDifference = operation('POST /reconciliation/:id/settle', {
  ...toEdit,
  summary: 'Settle a difference with an explanation',
  params: { id: Id },
  body: { reason: Reason(limits.differenceReason, 1) },
  reply: Difference,
  errors: ['DIFFERENCE_NOT_FOUND'],
})

export const countPayments = operation('GET /organizations/:id/payments', {
  area: 'operator',
  auth: { operator: true },
  summary: 'Count the payment problems of an organization',
  description: 'Numbers only: the organization sees the details.',
  params: { id: Id },
  reply: Type.Object({
    differences: Type.Integer(),
    overpaidInvoices: Type.Integer(),
    stuckCharges: Type.Integer(),
    stuckRefunds: Type.Integer({ description: 'Requested more than an hour ago and not answered' }),
    disputedPayments: Type.Integer(),
  }),
  errors: ['ORGANIZATION_NOT_FOUND'],
})
