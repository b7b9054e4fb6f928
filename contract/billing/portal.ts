import Type, { type Static } from 'typebox'
import { portalVisitLimit } from '../crm/portal.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { invoiceStatuses } from './shapes.ts'

/** What a contact of a client who receives its invoices sees of them in the customer portal; see contract/crm/portal.ts. */
const portal = { area: 'billing', auth: { public: true }, isHtmlPage: true, limit: portalVisitLimit } as const

export const PortalInvoice = Type.Object({
  id: Id,
  number: Type.String(),
  status: OneOf(invoiceStatuses),
  isOverdue: Type.Boolean(),
  issueDate: Type.String({ description: 'YYYY-MM-DD' }),
  dueDate: Nullable(Type.String({ description: 'YYYY-MM-DD' })),
  currency: Type.String(),
  totalCents: Type.Integer(),
  dueCents: Type.Integer(),
})
export type PortalInvoice = Static<typeof PortalInvoice>

export const listPortalInvoices = operation('GET /portal/invoices', {
  ...portal,
  summary: 'The invoices of the client, newest first',
  description: `At most ${limits.portalInvoices}. None for a contact who does not receive the invoices of their client.`,
  reply: Type.Object({ items: Type.Array(PortalInvoice) }),
  errors: ['UNAUTHENTICATED'],
})

export const openPortalInvoice = operation('GET /portal/invoices/:id/pdf', {
  ...portal,
  summary: 'An invoice of the portal as PDF',
  params: { id: Id },
  responseType: 'application/pdf',
  errors: ['UNAUTHENTICATED', 'INVOICE_NOT_ACCESSIBLE'],
})
