import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { PublicLink, UserId } from './shapes.ts'

const id = { id: Id }
const expiresInDays = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.invoiceLinkDays,
    description: 'Defaults to `linkDays` of the settings',
  }),
)
const currentLink = {
  summary: 'Get the current public link of an invoice',
  description:
    'Without its address: only a digest of a link is stored, and the address is returned once, when the link ' +
    'is issued.',
  params: id,
  reply: PublicLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'],
} as const
const issued = {
  summary: 'Issue a new public link of an invoice',
  description:
    'Returns the address, once, and revokes the previous link. An `Idempotency-Key` has no effect, because ' +
    'the reply is never stored: a repeated request issues another link.',
  params: id,
  reply: PublicLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
} as const

export const readPublicLink = operation('GET /invoices/:id/public-link', {
  ...byApplications('crm:invoices:read'),
  ...currentLink,
  query: { userId: UserId },
})
export const issuePublicLink = operation('POST /invoices/:id/public-link', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...byApplications('crm:invoices:write'),
  ...issued,
  body: { userId: UserId, expiresInDays },
})
export const showPublicLink = operation('GET /invoices/:id/public-link', { ...toView, ...currentLink })
export const makePublicLink = operation('POST /invoices/:id/public-link', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  ...issued,
  body: { expiresInDays },
  bodyOptional: true,
})

/** A link of an invoice, without its secret address. */
export const InvoiceLink = Type.Object({
  id: Id,
  kind: OneOf(['PRIMARY', 'ACTION', 'MAIL'], {
    description: 'ACTION: for one answer to the bank, or from the portal; MAIL: in a mail about the invoice',
  }),
  isCurrent: Type.Boolean(),
  createdBy: Nullable(Id),
  createdAt: Time,
  expiresAt: Time,
  revokedAt: Nullable(Time),
})
export type InvoiceLink = Static<typeof InvoiceLink>

export const listInvoiceLinks = operation('GET /invoices/:id/links', {
  ...toView,
  summary: 'List the links of an invoice, newest first',
  description: `At most ${limits.invoiceLinksShown}.`,
  params: id,
  reply: Type.Object({ items: Type.Array(InvoiceLink) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const revokeInvoiceLink = operation('DELETE /invoices/:id/links/:linkId', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  summary: 'Revoke a link of an invoice',
  description: 'A link that is already revoked is returned unchanged.',
  params: { id: Id, linkId: Id },
  reply: InvoiceLink,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'],
})
