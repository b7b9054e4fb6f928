import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Id, Nullable, OneOf, Reason, Time } from '../shapes.ts'
import { toEdit, toView } from './auth.ts'

/** What a gateway and the ledger say differently. */
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
    { description: 'Invoices for which more came in than was due, and has not been given back' },
  ),
  stuck: Type.Array(
    Type.Object({
      chargeId: Id,
      invoiceId: Id,
      amountCents: Cents,
      currency: Type.String(),
      createdAt: Time,
    }),
    { description: 'Charges of which nobody knows for more than an hour what came of them' },
  ),
  stuckRefunds: Type.Array(
    Type.Object({
      refundId: Id,
      invoiceId: Id,
      amountCents: Cents,
      currency: Type.String(),
      askedAt: Time,
    }),
    { description: 'Parts of refunds that were asked for more than an hour ago, and no answer is known' },
  ),
  disputed: Type.Array(
    Type.Object({ paymentId: Id, invoiceId: Id, amountCents: Cents, currency: Type.String() }),
  ),
  foreignMovements: Type.Integer({
    description:
      'What moved at the gateway in the last three days and is not of this organization, when its account is used elsewhere as ' +
      'well. No difference',
  }),
})
export type Reconciliation = Static<typeof Reconciliation>

export const readReconciliation = operation('GET /reconciliation', {
  ...toView,
  summary: 'What somebody has to look at: money that is not where it should be',
  description:
    'Every night what moved at the gateway is compared with the ledger. What is missing here and was asked for here is booked; ' +
    `the rest is a difference. At most ${limits.reconciliationShown} of each.`,
  reply: Reconciliation,
})

export const settleDifference = operation('POST /reconciliation/:id/settle', {
  ...toEdit,
  summary: 'Say that a difference is explained',
  params: { id: Id },
  body: { reason: Reason(limits.differenceReason, 1) },
  reply: Difference,
  errors: ['DIFFERENCE_NOT_FOUND'],
})

export const countPayments = operation('GET /organizations/:id/payments', {
  area: 'operator',
  auth: { operator: true },
  summary: 'How much of the money of an organization somebody has to look at',
  description: 'Numbers only: what they are of is for the organization.',
  params: { id: Id },
  reply: Type.Object({
    differences: Type.Integer(),
    overpaidInvoices: Type.Integer(),
    stuckCharges: Type.Integer(),
    stuckRefunds: Type.Integer({ description: 'Asked for more than an hour ago, and no answer is known' }),
    disputedPayments: Type.Integer(),
  }),
  errors: ['ORGANIZATION_NOT_FOUND'],
})
