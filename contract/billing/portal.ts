import Type, { type Static } from 'typebox'
import { portalVisitLimit } from '../crm/portal.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { invoiceStatuses } from './shapes.ts'

/** A client’s invoices in the customer portal, for contacts who receive them; see contract/crm/portal.ts. */
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
  summary: 'List the invoices of the client, newest first',
  description: `At most ${limits.portalInvoices}. Empty for a contact who does not receive the client’s invoices.`,
  reply: Type.Object({ items: Type.Array(PortalInvoice) }),
  errors: ['UNAUTHENTICATED'],
})

export const openPortalInvoice = operation('GET /portal/invoices/:id/pdf', {
  ...portal,
  summary: 'Get an invoice of the portal as PDF',
  params: { id: Id },
  responseType: 'application/pdf',
  errors: ['UNAUTHENTICATED', 'INVOICE_NOT_ACCESSIBLE'],
})
