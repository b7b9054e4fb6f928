import type { Static } from 'typebox'
import { listQuery, Paginated, search } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toView } from './auth.ts'
import { ChargeAttempt } from './charges.ts'
import { Payment } from './invoice.ts'
import { chargeStatuses, manualMethods, Refund, refundStates } from './shapes.ts'

/** The first that applies (PAY-11). */
export const paymentStatuses = ['REVERSED', 'DISPUTED', 'REFUNDED', 'PARTIALLY_REFUNDED', 'RECEIVED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
export const PaymentStatus = OneOf(paymentStatuses)
export const paymentMethods = [...manualMethods, 'GATEWAY_CARD', 'DIRECT_DEBIT'] as const

/** The invoice of a payment, charge or refund. */
const ofInvoice = {
  invoiceId: Id,
  invoiceNumber: Nullable(Type.String()),
  clientId: Id,
  clientName: Type.String(),
}
/** A payment in the list over all invoices (PAY-10). */
export const ListedPayment = Type.Object({
  ...Payment.properties,
  status: OneOf(paymentStatuses),
  currency: Type.String(),
  ...ofInvoice,
})
export type ListedPayment = Static<typeof ListedPayment>
/** A charge in the list over all invoices. */
export const ListedCharge = Type.Object({ ...ChargeAttempt.properties, ...ofInvoice })
export type ListedCharge = Static<typeof ListedCharge>
/** A refund in the list over all invoices. */
export const ListedRefund = Type.Object({
  ...Refund.properties,
  gatewayRefundIds: Type.Array(
    Type.String({ description: 'The gateway’s ids, one for each payment that it refunds' }),
  ),
  ...ofInvoice,
})
export type ListedRefund = Static<typeof ListedRefund>

const query = {
  ...listQuery,
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  currency: Type.Optional(Currency),
  search,
}

export const listAllPayments = operation('GET /payments', {
  ...toView,
  summary: 'List the payments of all invoices, newest first',
  description:
    '`search` finds the beginning of a reference, of a payment intent or of an invoice number, a part of a client’s ' +
    `name, for at most ${limits.invoiceClientsSought} clients, or an amount in the smallest unit of the currency. Times ` +
    `include both ends. \`total\` counts at most ${limits.invoicesCounted}; filters other than the times, and a ` +
    `search for an amount, examine the newest ${limits.billingRowsExamined} entries within the times.`,
  query: {
    ...query,
    status: Type.Optional(OneOf(paymentStatuses)),
    method: Type.Optional(OneOf(paymentMethods)),
  },
  reply: Paginated(ListedPayment),
})

export const listAllCharges = operation('GET /charges', {
  ...toView,
  summary: 'List the charges of all invoices, newest first',
  description: 'Filters and limits as for GET /payments; `search` finds the payment intent of a charge.',
  query: { ...query, status: Type.Optional(OneOf(chargeStatuses)) },
  reply: Paginated(ListedCharge),
})

export const listAllRefunds = operation('GET /refunds', {
  ...toView,
  summary: 'List the refunds of all invoices, newest first',
  description: 'Filters and limits as for GET /payments; `search` finds the ids of a refund at the gateway.',
  query: { ...query, status: Type.Optional(OneOf(refundStates)) },
  reply: Paginated(ListedRefund),
})
