import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Id, OneOf, Text, Time } from '../shapes.ts'
import { byApplications, toEdit } from './doors.ts'
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
        'In whole units of the currency, with two decimals at most; all that is due when it is left out',
    }),
  ),
  paidAt: Type.Optional(Time),
  reference: Type.Optional(Text(limits.paymentReference)),
}
// what a method of the gateway is refused with says why
const strictBody = { method: OneOf(manualMethods) }
const promised = {
  strictBody,
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
    'INVOICE_PAYMENT_IN_PROGRESS',
    'PAYMENT_AMOUNT_EXCEEDS_DUE',
  ],
} as const

export const markInvoicePaid = endpoint('POST /invoices/:id/mark-paid', {
  ...byApplications('crm:invoices:write'),
  ...promised,
  body: { userId: UserId, ...body },
})
export const registerPayment = endpoint('POST /invoices/:id/mark-paid', {
  ...toEdit,
  ...promised,
  body,
  repeatable: true,
})
