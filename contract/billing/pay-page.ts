import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { OneOf } from '../shapes.ts'
import { Type } from '../type.ts'
import { Charge } from './shapes.ts'

/** The operations of a payer with the link of an invoice. The secret in the address is the only credential. */
const token = { token: Type.String({ minLength: 1, maxLength: limits.publicToken }) }
const visit = { bucket: 'pay-pages', times: limits.payPagesPerHour, windowSeconds: 3_600 }
const act = { bucket: 'payments', times: limits.paymentsPerHour, windowSeconds: 3_600 }
const open = { area: 'billing', auth: { public: true }, isHtmlPage: true, params: token } as const
const refusals = [
  'PAYMENT_LINK_NOT_VALID',
  'INVOICE_STATE_INVALID',
  'INVOICE_ALREADY_PAID',
  'INVOICE_RECTIFIED',
  'CHARGE_IN_PROGRESS',
  'GATEWAY_ACCOUNT_NOT_READY',
  'BILLING_CURRENCY_NOT_SUPPORTED',
] as const

export const openPayPage = operation('GET /p/:token', {
  ...open,
  summary: 'Open the payment page of an invoice',
  description: 'Every invalid link gets the same reply. Opening the page changes nothing.',
  responseType: 'text/html',
  errors: ['PAYMENT_LINK_NOT_VALID'],
  limit: visit,
})

export const openPayDocument = operation('GET /p/:token/pdf', {
  ...open,
  summary: 'Get the invoice of a link as PDF',
  responseType: 'application/pdf',
  errors: ['PAYMENT_LINK_NOT_VALID'],
  limit: visit,
})

export const payByLink = operation('POST /p/:token/pay', {
  ...open,
  summary: 'Pay the invoice of a link',
  description:
    'Returns the client secret for the gateway’s own card form. The sandbox has no such form: send the number ' +
    'of a test card here. Replies with a page when the client accepts text/html.',
  body: {
    number: Type.Optional(
      Type.String({ maxLength: limits.cardNumber, description: 'A test card of the sandbox' }),
    ),
    expires: Type.Optional(
      Type.String({
        maxLength: 7,
        pattern: '^(0?[1-9]|1[0-2])/(20)?[0-9]{2}$',
        description: 'Month and year, for example 04/29',
      }),
    ),
  },
  bodyOptional: true,
  reply: Charge,
  errors: refusals,
  limit: act,
})

export const answerByLink = operation('POST /p/:token/answer', {
  ...open,
  summary: 'Answer the bank’s question about a payment in the sandbox',
  body: { isYou: OneOf(['yes', 'no']) },
  reply: Charge,
  errors: refusals,
  limit: act,
})
