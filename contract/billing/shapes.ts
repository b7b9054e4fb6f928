import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { Cents, Id, Name, Named, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/**
 * The status of an invoice is the first that applies: VOIDED, DRAFT, RECTIFIED, PAID, PARTIALLY_PAID, SENT, ISSUED.
 * RECTIFIED: other invoices rectify the whole total, and nothing was ever paid. Nothing is due.
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

/** The electronic formats of an invoice: UBL 2.1 with EN 16931, and Facturae 3.2.2 (EINV-1). */
export const eInvoiceFormats = ['UBL', 'FACTURAE'] as const
export type EInvoiceFormat = (typeof eInvoiceFormats)[number]
export const EInvoiceFormat = OneOf(eInvoiceFormats)

/** The methods of payments that did not come through the gateway (PAY-1). */
export const manualMethods = ['TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER'] as const
export type ManualMethod = (typeof manualMethods)[number]
export type PaymentMethodName = ManualMethod | 'GATEWAY_CARD' | 'DIRECT_DEBIT'

export const InvoiceSequence = Named(
  Type.Integer({ description: 'Increases with each event of the invoice' }),
)
/** A user of the application, by the id that the application has for them (EXTU-1). */
export const UserId = Named(Name(limits.externalUserId))

/** An invoice in lists and in the reply of mark-paid (INV-33). */
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
  userId: Nullable(Type.String({ description: 'Null: members created it without a user of an application' })),
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
/** The reply of a charge (CHG-2). */
export const Charge = Type.Object({
  status: OneOf(chargeStatuses),
  paymentIntentId: Nullable(Type.String()),
  invoiceId: Id,
  amountCents: Cents,
  currency: Type.String(),
  publicUrl: Nullable(
    Type.String({ description: 'With REQUIRES_ACTION: the page on which the user continues' }),
  ),
  clientSecret: Nullable(
    Type.String({ description: 'With REQUIRES_ACTION: for a card form on your own page' }),
  ),
  failureCode: Nullable(Type.String()),
  failureMessage: Nullable(Type.String()),
})
export type Charge = Static<typeof Charge>

export const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const
export const RefundReason = OneOf(refundReasons)
export const refundStates = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
/** The reply of a refund (RFD-2). */
export const Refund = Type.Object({
  id: Id,
  invoiceId: Id,
  amountCents: Cents,
  currency: Type.String(),
  status: OneOf(refundStates),
  isFullRefund: Type.Boolean(),
  reason: Nullable(OneOf(refundReasons)),
  rectifyingInvoiceId: Nullable(Id),
  createdAt: Time,
})
export type Refund = Static<typeof Refund>

/** The reply about a public link (PLNK-3). */
export const PublicLink = Type.Object({
  invoiceId: Id,
  publicUrl: Nullable(Type.String({ description: 'Returned once, when the link is issued' })),
  expiresAt: Time,
  allowedActions: Type.Array(OneOf(['VIEW', 'PAY'])),
  createdAt: Time,
})
export type PublicLink = Static<typeof PublicLink>
