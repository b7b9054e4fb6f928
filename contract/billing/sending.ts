import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { UserId } from './shapes.ts'

const params = { id: Id }
const Addresses = (description: string) =>
  Type.Optional(Type.Array(Email, { maxItems: limits.invoiceRecipients, description }))
const letter = {
  to: Addresses('Defaults to the main active billing contact of the client, otherwise to the user’s e-mail'),
  cc: Addresses('Copies'),
  message: Type.Optional(
    Type.String({
      maxLength: limits.invoiceMessage,
      description: 'Replaces the text of the template; the data of the invoice follows in any case',
    }),
  ),
  templateId: Type.Optional(Id),
}
/** The reply of send (SND-1). */
export const InvoiceSent = Type.Object({
  sent: Type.Boolean(),
  invoiceId: Id,
  recipients: Type.Array(Type.String(), {
    description: 'The addresses that the mail server accepted, copies included',
  }),
  sentAt: Time,
})
export type InvoiceSent = Static<typeof InvoiceSent>

const shared = {
  summary: 'Send an invoice by e-mail',
  description:
    'Sends the PDF to active billing contacts of the client, other contacts of it that receive invoices, the ' +
    'user, or the recipient at the time of issue; any other address refuses the whole request. Replies when ' +
    'the mail server has accepted the message. After 502 you can send it again: if the first message may have ' +
    'been sent, the second one has the same Message-ID. A request that is repeated with its `Idempotency-Key` ' +
    'gets the first reply and sends nothing. It waits while the first one runs, and gets ' +
    'INVOICE_EMAIL_IN_PROGRESS when that takes too long.',
  params,
  reply: InvoiceSent,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_STATE_INVALID',
    'INVOICE_EMAIL_NO_RECIPIENT',
    'INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED',
    'TEMPLATE_NOT_FOUND',
    'INVOICE_EMAIL_NOT_SENT',
    'INVOICE_EMAIL_IN_PROGRESS',
  ],
} as const
const asApplication = byApplications('crm:invoices:send')

export const sendInvoice = operation('POST /invoices/:id/send', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...asApplication,
  ...shared,
  description:
    `${shared.description} An application can send ${limits.invoiceSendsPerHour} invoices in a clock hour; ` +
    'refused ones do not count.',
  body: { userId: UserId, ...letter },
  errors: [...shared.errors, 'RATE_LIMIT_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
})
export const sendInvoiceByHand = operation('POST /invoices/:id/send', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  ...shared,
  body: letter,
  bodyOptional: true,
  isIdempotent: true,
})

/** An e-mail with an invoice, sent or attempted. */
export const InvoiceDelivery = Type.Object({
  id: Id,
  state: OneOf(['SENDING', 'SENT', 'REFUSED', 'UNKNOWN'], {
    description:
      'UNKNOWN: the connection was lost after the message was handed to the mail server, so it may have been sent',
  }),
  recipients: Type.Array(Type.String()),
  copies: Type.Array(Type.String()),
  refused: Type.Array(Type.String(), { description: 'The addresses that the mail server rejected' }),
  messageId: Type.String(),
  answer: Nullable(Type.String({ description: 'The reply of the mail server when it refused' })),
  applicationId: Nullable(Id),
  createdBy: Nullable(Id),
  createdAt: Time,
  endedAt: Nullable(Time),
})
export type InvoiceDelivery = Static<typeof InvoiceDelivery>

export const listInvoiceDeliveries = operation('GET /invoices/:id/deliveries', {
  ...toView,
  summary: 'List the e-mails of an invoice, newest first',
  description: `At most ${limits.invoiceDeliveriesShown}.`,
  params,
  reply: Type.Object({ items: Type.Array(InvoiceDelivery) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
