import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toEdit, toReverse } from './auth.ts'
import { InvoiceSummary, manualMethods, UserId } from './shapes.ts'

const id = { id: Id }
const body = {
  method: Type.String({
    maxLength: 40,
    pattern: `^(?:${manualMethods.join('|')}|GATEWAY_[A-Z_]+)$`,
    description:
      `${manualMethods.join(', ')}. Gateway methods (GATEWAY_…) are refused: payments that the gateway ` +
      'collects are booked automatically, and would be booked twice.',
  }),
  amount: Type.Optional(
    Type.Number({
      minimum: limits.paymentAmountMin,
      maximum: limits.invoiceCents / 100,
      description:
        'In whole units of the currency, with at most two decimals, or none for a currency without decimals. ' +
        'Defaults to the amount due',
    }),
  ),
  paidAt: Type.Optional(Time),
  reference: Type.Optional(Text(limits.paymentReference)),
}
// the documentation omits the gateway methods, which are only accepted to be refused with an explanation
const documentedBody = { method: OneOf(manualMethods) }
const shared = {
  documentedBody,
  summary: 'Register a payment that did not come through the gateway',
  description:
    'The whole amount due, or a part of it. A payment that waits for an answer to the bank is cancelled ' +
    'first; while the gateway processes a payment, this is refused. `reference` is stored in the audit log ' +
    'and in the internal notes.',
  params: id,
  reply: InvoiceSummary,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_STATE_INVALID',
    'INVOICE_ALREADY_PAID',
    'INVOICE_RECTIFIED',
    'INVOICE_PAYMENT_IN_PROGRESS',
    'PAYMENT_AMOUNT_EXCEEDS_DUE',
  ],
} as const

export const markInvoicePaid = operation('POST /invoices/:id/mark-paid', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...byApplications('crm:invoices:write'),
  ...shared,
  body: { userId: UserId, ...body },
})
export const registerPayment = operation('POST /invoices/:id/mark-paid', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  ...shared,
  body,
  isIdempotent: true,
})

export const reversePayment = operation('POST /invoices/:id/payments/:paymentId/reverse', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toReverse,
  summary: 'Reverse a manual payment that was registered by mistake',
  description:
    'The payment stays visible with `reversedAt`, the ledger gets a PAYMENT_REVERSAL entry, and the amount is ' +
    'due again. Payments that the gateway collected are refunded instead. A payment of the same invoice that ' +
    'waits for an answer to the bank is cancelled first. `reason` is stored in the audit log and in the ' +
    'internal notes.',
  params: { id: Id, paymentId: Id },
  body: { reason: Text(limits.reversalReason, 1) },
  reply: InvoiceSummary,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_NOT_REVERSIBLE',
    'PAYMENT_ALREADY_REVERSED',
    'INVOICE_PAYMENT_IN_PROGRESS',
  ],
  isIdempotent: true,
})
