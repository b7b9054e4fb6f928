import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { UserId } from './shapes.ts'

const params = { id: Id }
const Addresses = (description: string) =>
  Type.Optional(Type.Array(Email, { maxItems: limits.invoiceRecipients, description }))
const letter = {
  to: Addresses('The main active billing contact of the client, else the user’s e-mail, when it is left out'),
  cc: Addresses('Copies'),
  message: Type.Optional(
    Type.String({
      maxLength: limits.invoiceMessage,
      description: 'In place of the text of the template; what the invoice comes to stands below it as ever',
    }),
  ),
  templateId: Type.Optional(Id),
}
/** The answer of send (SND-1). */
export const InvoiceSent = Type.Object({
  sent: Type.Boolean(),
  invoiceId: Id,
  recipients: Type.Array(Type.String(), { description: 'Those that the mail server took, copies as well' }),
  sentAt: Time,
})
export type InvoiceSent = Static<typeof InvoiceSent>

const promised = {
  summary: 'Send an invoice by e-mail, with its PDF',
  description:
    'To active billing contacts of the client, contacts of it that receive invoices, the user, and the recipient that the ' +
    'invoice was issued with; any other address refuses all of it. Answers when the mail server has taken the message. ' +
    'After 502 it can be sent again: when the first message may have gone out after all, the second one has its Message-ID. ' +
    'A call that is repeated with its `Idempotency-Key` gets the first answer, and sends nothing; while the first one is at ' +
    'it, it waits, and is told INVOICE_EMAIL_IN_PROGRESS when that takes too long.',
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
  ...asApplication,
  ...promised,
  description:
    `${promised.description} An application sends ${limits.invoiceSendsPerHour} invoices in a clock hour; what was refused ` +
    'does not count.',
  body: { userId: UserId, ...letter },
  errors: [...promised.errors, 'RATE_LIMIT_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
})
export const sendInvoiceByHand = operation('POST /invoices/:id/send', {
  ...toEdit,
  ...promised,
  body: letter,
  bodyOptional: true,
  isIdempotent: true,
})

/** An invoice as it was sent by e-mail, or was to be. */
export const InvoiceDelivery = Type.Object({
  id: Id,
  state: OneOf(['SENDING', 'SENT', 'REFUSED', 'UNKNOWN'], {
    description:
      'UNKNOWN: the connection was lost after the message was given to the mail server, and it may have gone out',
  }),
  recipients: Type.Array(Type.String()),
  copies: Type.Array(Type.String()),
  refused: Type.Array(Type.String(), { description: 'Those that the mail server did not take' }),
  messageId: Type.String(),
  answer: Nullable(Type.String({ description: 'What the mail server said when it refused' })),
  applicationId: Nullable(Id),
  createdBy: Nullable(Id),
  createdAt: Time,
  endedAt: Nullable(Time),
})
export type InvoiceDelivery = Static<typeof InvoiceDelivery>

export const listInvoiceDeliveries = operation('GET /invoices/:id/deliveries', {
  ...toView,
  summary: 'When an invoice was sent by e-mail, and what came of it, the newest first',
  description: `At most ${limits.invoiceDeliveriesShown}.`,
  params,
  reply: Type.Object({ items: Type.Array(InvoiceDelivery) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
