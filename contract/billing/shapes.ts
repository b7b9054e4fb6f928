import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { Cents, Id, Name, Named, Nullable, OneOf, Time } from '../shapes.ts'

/**
 * What an invoice is called by, the first that applies: VOIDED, DRAFT, RECTIFIED, PAID, PARTIALLY_PAID, SENT, ISSUED.
 * RECTIFIED: other invoices rectify all of it, and nothing was ever paid of it. Nothing is due.
 */
export const invoiceStatuses = [
  'DRAFT',
  'ISSUED',
  'SENT',
  'PARTIALLY_PAID',
  'PAID',
  'RECTIFIED',
  'VOIDED',
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]
export const InvoiceStatus = OneOf(invoiceStatuses)
export const refundStatuses = ['NONE', 'PARTIAL', 'FULL'] as const

/** The methods of payments that did not come through the gateway (PAY-1). */
export const manualMethods = ['TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER'] as const
export type ManualMethod = (typeof manualMethods)[number]
export type PaymentMethodName = ManualMethod | 'GATEWAY_CARD'

export const InvoiceSequence = Named(
  Type.Integer({ description: 'Grows with each event of the invoice: a later one has a larger one' }),
)
/** A user of the application, by the id that the application has for them (EXTU-1). */
export const UserId = Named(Name(limits.externalUserId))

/** An invoice as lists and mark-paid answer it (INV-33). */
export const InvoiceSummary = Type.Object({
  id: Id,
  number: Nullable(Type.String()),
  series: Nullable(Type.String()),
  status: OneOf(invoiceStatuses),
  isOverdue: Type.Boolean(),
  refundStatus: OneOf(refundStatuses),
  currency: Type.String(),
  issueDate: Nullable(Type.String()),
  dueDate: Nullable(Type.String()),
  clientId: Id,
  clientName: Type.String(),
  userId: Nullable(
    Type.String({ description: 'Null: it was made by people, for no user of an application' }),
  ),
  subtotalCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
  paidCents: Cents,
  dueCents: Cents,
  refundedCents: Cents,
  rectifiedCents: Cents,
  sentAt: Nullable(Time),
  lastPaymentAt: Nullable(Time),
  isSubscription: Type.Boolean(),
  rectifiesInvoiceId: Nullable(Id),
  createdAt: Time,
  updatedAt: Time,
})
export type InvoiceSummary = Static<typeof InvoiceSummary>

export const chargeStatuses = ['SUCCEEDED', 'REQUIRES_ACTION', 'PROCESSING', 'FAILED'] as const
export const ChargeStatus = OneOf(chargeStatuses)
/** The answer of a charge (CHG-2). */
export const Charge = Type.Object({
  status: OneOf(chargeStatuses),
  paymentIntentId: Nullable(Type.String()),
  invoiceId: Id,
  amountCents: Cents,
  currency: Type.String(),
  publicUrl: Nullable(Type.String({ description: 'With REQUIRES_ACTION: where the user goes on' })),
  clientSecret: Nullable(
    Type.String({ description: 'With REQUIRES_ACTION: to go on in one’s own interface' }),
  ),
  failureCode: Nullable(Type.String()),
  failureMessage: Nullable(Type.String()),
})
export type Charge = Static<typeof Charge>

export const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const
export const RefundReason = OneOf(refundReasons)
/** The answer of a refund (RFD-2). */
export const Refund = Type.Object({
  id: Id,
  invoiceId: Id,
  amountCents: Cents,
  currency: Type.String(),
  status: OneOf(['PENDING', 'SUCCEEDED', 'FAILED']),
  isFullRefund: Type.Boolean(),
  reason: Nullable(OneOf(refundReasons)),
  rectifyingInvoiceId: Nullable(Id),
  createdAt: Time,
})
export type Refund = Static<typeof Refund>

/** The answer about a public link (PLNK-3). */
export const PublicLink = Type.Object({
  invoiceId: Id,
  publicUrl: Nullable(Type.String({ description: 'Told once, when the link is issued' })),
  expiresAt: Time,
  allowedActions: Type.Array(OneOf(['VIEW', 'PAY'])),
  createdAt: Time,
})
export type PublicLink = Static<typeof PublicLink>
