import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, OneOf, Text, Time } from '../shapes.ts'
import { byApplications, toEdit, toReverse } from './auth.ts'
import { InvoiceSummary, manualMethods, UserId } from './shapes.ts'

const id = { id: Id }
const body = {
  method: Type.String({
    maxLength: 40,
    pattern: `^(?:${manualMethods.join('|')}|GATEWAY_[A-Z_]+)$`,
    description:
      `${manualMethods.join(', ')}. A method of the gateway (GATEWAY_…) is refused: what the gateway collects is booked by ` +
      'itself, and would stand there twice.',
  }),
  amount: Type.Optional(
    Type.Number({
      minimum: limits.paymentAmountMin,
      maximum: limits.invoiceCents / 100,
      description:
        'In whole units of the currency, with two decimals at most, and none where the currency has none; all that is due ' +
        'when it is left out',
    }),
  ),
  paidAt: Type.Optional(Time),
  reference: Type.Optional(Text(limits.paymentReference)),
}
// what a method of the gateway is refused with says why
const documentedBody = { method: OneOf(manualMethods) }
const promised = {
  documentedBody,
  summary: 'Register a payment that did not come through the gateway',
  description:
    'All that is due, or a part of it. A payment that waits for an answer to the bank is cancelled first; one that the ' +
    'gateway is at refuses this for a while. `reference` is kept in the audit log and in the internal notes.',
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
  ...byApplications('crm:invoices:write'),
  ...promised,
  body: { userId: UserId, ...body },
})
export const registerPayment = operation('POST /invoices/:id/mark-paid', {
  ...toEdit,
  ...promised,
  body,
  isIdempotent: true,
})

export const reversePayment = operation('POST /invoices/:id/payments/:paymentId/reverse', {
  ...toReverse,
  summary: 'Reverse a payment that was registered by hand by mistake',
  description:
    'The payment stays visible with `reversedAt`, the ledger gets an entry of its own (PAYMENT_REVERSAL), and the amount is ' +
    'due again. Payments that the gateway collected are refunded instead. A payment of the same invoice that waits for an ' +
    'answer to the bank is cancelled first. `reason` is kept in the audit log and in the internal notes.',
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
