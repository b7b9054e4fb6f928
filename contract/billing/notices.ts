import type { EventData } from '../events.ts'
import type { billingEvents } from './events.ts'

const head = {
  invoiceId: 'cmhz3k8q1i7v2b5n9m4d6f8gh',
  number: 'F2026-000042',
  userId: 'user-1042',
  currency: 'eur',
  totalCents: 12_100,
  sequence: 3,
} as const
const unpaid = { ...head, status: 'SENT', paidCents: 0, dueCents: 12_100 } as const
const settled = { ...head, status: 'PAID', paidCents: 12_100, dueCents: 0 } as const
const charge = {
  source: 'gateway',
  chargeId: 'cmhz3k8q1c7v2b5n9m4d6f8gh',
  paymentIntentId: 'pi_3Q9kXq2eZvKYlo2C',
  amountCents: 12_100,
  paymentAuthorizationId: 'cmhz3k8q1a7v2b5n9m4d6f8gh',
} as const
const payment = {
  paymentId: 'cmhz3k8q1p7v2b5n9m4d6f8gh',
  paidAt: '2026-11-21T20:15:00.000Z',
  paymentIntentId: null,
} as const
const refund = {
  source: 'gateway',
  refundId: 'cmhz3k8q1r7v2b5n9m4d6f8gh',
  amountCents: 12_100,
} as const

/** When each event is emitted, with an example of its data (IEVT-1 to IEVT-7). */
export const billingNotices: {
  [Name in keyof typeof billingEvents]: { when: string; example: EventData<Name> }
} = {
  INVOICE_ISSUED: {
    when: 'An invoice was issued: it has its number and can no longer change',
    example: {
      ...unpaid,
      status: 'ISSUED',
      issueDate: '2026-11-21',
      dueDate: '2026-12-21',
      rectifiesInvoiceId: null,
    },
  },
  INVOICE_VOIDED: {
    when: 'An invoice was voided: nothing is due. If it rectified another invoice, that amount is due again',
    example: {
      ...unpaid,
      status: 'VOIDED',
      dueCents: 0,
      voidedAt: '2026-11-22T09:30:00.000Z',
      rectifiesInvoiceId: null,
    },
  },
  INVOICE_RECTIFIED: {
    when:
      'An invoice that rectifies this one was issued. With the status RECTIFIED nothing is due, although ' +
      'nothing was paid',
    example: {
      ...unpaid,
      status: 'RECTIFIED',
      dueCents: 0,
      rectifyingInvoiceId: 'cmhz3k8q1x7v2b5n9m4d6f8gh',
      rectifyingNumber: 'R2026-000007',
      rectifiedCents: 12_100,
    },
  },
  INVOICE_OVERDUE: {
    when: 'The due date of an invoice has passed, in UTC, and an amount is still due. Once for each invoice',
    example: { ...unpaid, dueDate: '2026-11-20' },
  },
  INVOICE_SENT: {
    when: 'An invoice was sent by e-mail: the mail server accepted it',
    example: {
      ...unpaid,
      source: 'manual',
      recipients: ['accounts@example.com'],
      sentAt: '2026-11-21T20:15:00.000Z',
    },
  },
  INVOICE_PAID: {
    when: 'An invoice was fully paid by a manual payment, or by card after the user answered the bank',
    example: {
      ...settled,
      ...payment,
      source: 'manual',
      method: 'TRANSFER',
      amountCents: 12_100,
      reference: 'BX-7',
    },
  },
  INVOICE_PARTIALLY_PAID: {
    when: 'A part of an invoice was paid',
    example: {
      ...unpaid,
      status: 'PARTIALLY_PAID',
      paidCents: 2_100,
      dueCents: 10_000,
      ...payment,
      source: 'manual',
      method: 'CASH',
      amountCents: 2_100,
      reference: null,
    },
  },
  INVOICE_PAYMENT_REVERSED: {
    when: 'A manual payment was reversed: the amount is due again',
    example: {
      ...unpaid,
      source: 'manual',
      paymentId: payment.paymentId,
      method: 'TRANSFER',
      amountCents: 12_100,
      reversedAt: '2026-11-22T09:30:00.000Z',
    },
  },
  INVOICE_REFUNDED: {
    when: 'Money was refunded through the gateway',
    example: {
      ...settled,
      ...refund,
      isFullRefund: true,
      reason: 'requested_by_customer',
      rectifyingInvoiceId: null,
    },
  },
  INVOICE_REFUND_FAILED: {
    when: 'A refund failed, at once or after it had been reported as successful',
    example: { ...settled, ...refund, failureCode: 'expired_or_canceled_card' },
  },
  CHARGE_STARTED: {
    when: 'A charge started',
    example: { ...unpaid, ...charge, paymentIntentId: null },
  },
  CHARGE_SUCCEEDED: {
    when: 'A charge collected the money',
    example: { ...settled, ...charge, invoiceFullyPaid: true },
  },
  CHARGE_FAILED: {
    when: 'A charge was declined or could not be made',
    example: {
      ...unpaid,
      ...charge,
      failureCode: 'card_declined',
      failureMessage: 'Your card was declined.',
      declineCode: 'insufficient_funds',
    },
  },
  CHARGE_REQUIRES_ACTION: {
    when: 'The bank asks the user to authenticate: send them to `publicUrl`',
    example: { ...unpaid, ...charge, publicUrl: 'https://patio.example.com/p/…' },
  },
}
