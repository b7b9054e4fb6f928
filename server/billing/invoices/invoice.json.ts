import type { Invoice } from '#contract/billing/invoice.ts'
import type { InvoiceSummary } from '#contract/billing/shapes.ts'
import type { Caller } from '#platform/http/caller.ts'
import { showPayment } from '../payments/payment.json.ts'
import type { PaymentRow } from '../payments/payment-list.sql.ts'
import type { InvoiceRow } from './invoice.row.ts'
import { dueOf, statusOf } from './invoice.rules.ts'
import type { RectifyingRow } from './rectifying/rectifying.sql.ts'

/** The summary in lists and in the reply of mark-paid. */
export function showSummary(invoice: InvoiceRow): InvoiceSummary {
  const due = dueOf(invoice)
  return {
    id: invoice.id,
    number: invoice.number,
    series: invoice.series,
    status: statusOf(invoice),
    isOverdue:
      invoice.lifecycle === 'ISSUED' &&
      due > 0 &&
      invoice.due_date !== null &&
      invoice.due_date < invoice.today,
    refundStatus:
      invoice.refunded_cents === 0
        ? 'NONE'
        : invoice.refunded_cents < invoice.paid_cents
          ? 'PARTIAL'
          : 'FULL',
    currency: invoice.currency,
    issueDate: invoice.issue_date,
    dueDate: invoice.due_date,
    clientId: invoice.client_id,
    clientName: invoice.client_name,
    userId: invoice.external_user_id,
    subtotalCents: invoice.subtotal_cents,
    taxCents: invoice.tax_cents,
    totalCents: invoice.total_cents,
    paidCents: invoice.paid_cents,
    dueCents: due,
    refundedCents: invoice.refunded_cents,
    rectifiedCents: invoice.rectified_cents,
    sentAt: invoice.sent_at,
    lastPaymentAt: invoice.last_payment_at,
    isSubscription: invoice.is_subscription,
    rectifiesInvoiceId: invoice.rectifies_invoice_id,
    createdAt: invoice.created_at,
    updatedAt: invoice.updated_at,
  }
}

/** A whole invoice. Only members see the internal notes and the budget. */
export function showInvoice(
  caller: Caller,
  invoice: InvoiceRow,
  {
    payments,
    rectifying,
    budget,
  }: {
    payments: readonly PaymentRow[]
    rectifying: readonly RectifyingRow[]
    budget: { id: string; code: string } | null
  },
): Invoice {
  return {
    ...showSummary(invoice),
    applicationId: invoice.application_id,
    isRectifying: invoice.is_rectifying,
    rectifyingReason: invoice.rectifying_reason,
    rectifiedBy: rectifying.map(({ id, number, status, total_cents }) => ({
      id,
      number,
      status,
      totalCents: total_cents,
    })),
    overpaidCents: invoice.overpaid_cents,
    lines: invoice.lines,
    taxes: invoice.taxes,
    issuer: invoice.issuer,
    recipient: invoice.recipient,
    notes: invoice.notes,
    ...(caller.applicationId === null && {
      internalNotes: invoice.internal_notes,
      budget: budget && { id: budget.id, code: budget.code },
    }),
    payments: payments.map(showPayment),
    issuedAt: invoice.issued_at,
    voidedAt: invoice.voided_at,
  }
}
