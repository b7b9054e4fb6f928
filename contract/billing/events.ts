import type { TProperties } from 'typebox'
import { forApplications } from '../event.ts'
import { Cents, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { InvoiceSequence, invoiceStatuses } from './shapes.ts'

const head = {
  invoiceId: Id,
  number: Nullable(Type.String()),
  userId: Nullable(Type.String()),
  status: OneOf(invoiceStatuses),
  currency: Type.String(),
  totalCents: Cents,
  paidCents: Cents,
  dueCents: Cents,
  sequence: InvoiceSequence,
}
/** An event for the application of the invoice, whatever its scopes, also about its own actions (IEVT-2). */
function ofInvoice<const Data extends TProperties>(data: Data) {
  return forApplications({
    scope: null,
    contentScope: 'crm:invoices:read',
    schemaVersion: '2026-11',
    reaches: 'subject',
    includesActor: true,
    announces: { event: 'invoice.changed', id: 'invoiceId' },
    data: Type.Object({ ...head, ...data }),
  })
}
const source = OneOf(['manual', 'gateway'])
/** `bank`: a direct debit. */
const moneySource = OneOf(['manual', 'gateway', 'bank'])
const paid = {
  source: moneySource,
  paymentId: Id,
  method: Type.String(),
  amountCents: Cents,
  paidAt: Time,
  reference: Nullable(Type.String()),
  paymentIntentId: Nullable(Type.String()),
}
const charge = {
  source: moneySource,
  chargeId: Id,
  paymentIntentId: Nullable(Type.String()),
  amountCents: Cents,
  paymentAuthorizationId: Nullable(Id),
}

export const billingEvents = {
  INVOICE_ISSUED: ofInvoice({
    issueDate: Type.String(),
    dueDate: Type.String(),
    rectifiesInvoiceId: Nullable(Id),
  }),
  INVOICE_VOIDED: ofInvoice({ voidedAt: Time, rectifiesInvoiceId: Nullable(Id) }),
  INVOICE_RECTIFIED: ofInvoice({
    rectifyingInvoiceId: Id,
    rectifyingNumber: Type.String(),
    rectifiedCents: Type.Integer({
      description: 'The sum that all rectifying invoices have taken off so far',
    }),
  }),
  INVOICE_OVERDUE: ofInvoice({ dueDate: Type.String() }),
  INVOICE_SENT: ofInvoice({ source, recipients: Type.Array(Type.String()), sentAt: Time }),
  INVOICE_PAID: ofInvoice(paid),
  INVOICE_PARTIALLY_PAID: ofInvoice(paid),
  INVOICE_PAYMENT_REVERSED: ofInvoice({
    source: moneySource,
    paymentId: Id,
    method: Type.String(),
    amountCents: Cents,
    reversedAt: Time,
  }),
  INVOICE_REFUNDED: ofInvoice({
    source,
    refundId: Id,
    amountCents: Cents,
    isFullRefund: Type.Boolean(),
    reason: Nullable(Type.String()),
    rectifyingInvoiceId: Nullable(Id),
  }),
  INVOICE_REFUND_FAILED: ofInvoice({
    source,
    refundId: Id,
    amountCents: Cents,
    failureCode: Nullable(Type.String()),
  }),
  CHARGE_STARTED: ofInvoice(charge),
  CHARGE_SUCCEEDED: ofInvoice({ ...charge, invoiceFullyPaid: Type.Boolean() }),
  CHARGE_FAILED: ofInvoice({
    ...charge,
    failureCode: Nullable(Type.String()),
    failureMessage: Nullable(Type.String()),
    declineCode: Nullable(Type.String()),
  }),
  CHARGE_REQUIRES_ACTION: ofInvoice({ ...charge, publicUrl: Type.String() }),
} as const
