import type { Static } from 'typebox'
import { portalVisitLimit } from '../crm/portal.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { Type } from '../type.ts'
import { EInvoiceFormat, eInvoiceFormats, invoiceStatuses } from './shapes.ts'

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
  isPayable: Type.Boolean({ description: 'By card, with `/pay`' }),
  formats: Type.Array(OneOf(eInvoiceFormats), {
    description: 'The electronic formats that can represent the invoice, for `/e-invoice`',
  }),
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

export const openPortalEInvoice = operation('GET /portal/invoices/:id/e-invoice', {
  ...portal,
  summary: 'Get an invoice of the portal as UBL 2.1 (EN 16931) or Facturae 3.2.2',
  params: { id: Id },
  query: { format: EInvoiceFormat },
  responseType: 'application/xml',
  errors: ['UNAUTHENTICATED', 'INVOICE_NOT_ACCESSIBLE', 'INVOICE_FORMAT_UNAVAILABLE'],
})

export const payPortalInvoice = operation('POST /portal/invoices/:id/pay', {
  ...portal,
  announces: { event: 'invoice.changed', id: 'id' },
  summary: 'Open the payment page of an invoice of the portal',
  description: `Creates a link of the kind ACTION, for ${limits.actionLinkHours} hours. Browsers are sent to it.`,
  params: { id: Id },
  reply: Type.Object({ url: Type.String() }),
  errors: ['UNAUTHENTICATED', 'INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
})
