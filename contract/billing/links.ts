import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { PublicLink, UserId } from './shapes.ts'

const id = { id: Id }
const expiresInDays = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.invoiceLinkDays,
    description: 'What the settings say when it is left out',
  }),
)
const asked = {
  summary: 'The current public link of an invoice, without its address',
  description: 'Only a fingerprint of a link is kept: its address is told once, when it is issued.',
  params: id,
  reply: PublicLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'],
} as const
const issued = {
  summary: 'Issue a new public link of an invoice, and tell its address once',
  description:
    'The link that there was ends. An `Idempotency-Key` makes no difference: the answer is kept nowhere, and a call that is ' +
    'repeated issues another link.',
  params: id,
  reply: PublicLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
} as const

export const readPublicLink = operation('GET /invoices/:id/public-link', {
  ...byApplications('crm:invoices:read'),
  ...asked,
  query: { userId: UserId },
})
export const issuePublicLink = operation('POST /invoices/:id/public-link', {
  ...byApplications('crm:invoices:write'),
  ...issued,
  body: { userId: UserId, expiresInDays },
})
export const showPublicLink = operation('GET /invoices/:id/public-link', { ...toView, ...asked })
export const makePublicLink = operation('POST /invoices/:id/public-link', {
  ...toEdit,
  ...issued,
  body: { expiresInDays },
  bodyOptional: true,
})

/** A link of an invoice, whose address nobody knows but who was given it. */
export const InvoiceLink = Type.Object({
  id: Id,
  kind: OneOf(['PRIMARY', 'ACTION'], { description: 'ACTION: made for one answer to the bank' }),
  isCurrent: Type.Boolean(),
  createdBy: Nullable(Id),
  createdAt: Time,
  expiresAt: Time,
  revokedAt: Nullable(Time),
})
export type InvoiceLink = Static<typeof InvoiceLink>

export const listInvoiceLinks = operation('GET /invoices/:id/links', {
  ...toView,
  summary: 'The links of an invoice, the newest first',
  description: `At most ${limits.invoiceLinksShown}.`,
  params: id,
  reply: Type.Object({ items: Type.Array(InvoiceLink) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const revokeInvoiceLink = operation('DELETE /invoices/:id/links/:linkId', {
  ...toEdit,
  summary: 'End a link of an invoice',
  description: 'One that has ended is answered as it is.',
  params: { id: Id, linkId: Id },
  reply: InvoiceLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'],
})
