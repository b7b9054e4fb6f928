import { listQuery, Paginated, search } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Scope } from '../permissions.ts'
import {
  Currency,
  Day,
  DocumentAddress,
  documentAddressLimit,
  documentAddressQuery,
  Id,
  Nullable,
  OneOf,
  Reason,
  Text,
} from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { BilledUser, Invoice, InvoiceFigures, NewLines } from './invoice.ts'
import { EInvoiceFormat, InvoiceSummary, invoiceStatuses, UserId } from './shapes.ts'

const id = { id: Id }
/** Applications name the user: see lockInvoice. */
const userId = Type.Optional(UserId)
/** For members and for applications. */
const view = <const S extends Scope>(scope: S) => ({
  ...toView,
  auth: { apiKey: { scope }, ...toView.auth },
})
const edit = {
  ...byApplications('crm:invoices:write'),
  auth: { apiKey: { scope: 'crm:invoices:write' }, ...toEdit.auth },
} as const

const Notes = Nullable(Text(limits.invoiceNotes))
const terms = {
  currency: Type.Optional(Currency),
  dueDate: Type.Optional(Nullable(Day)),
  isSubscription: Type.Optional(Type.Boolean()),
  notes: Type.Optional(Notes),
}
const toDraft = { lines: Type.Optional(NewLines), ...terms, internalNotes: Type.Optional(Notes) }
const issueDate = Type.Optional(
  Type.String({
    ...Day,
    description: 'Defaults to today, in UTC; not before the last date in its series',
  }),
)
const refusedToIssue = [
  'INVOICE_EMPTY',
  'ISSUER_REQUIRED',
  'RECIPIENT_INCOMPLETE',
  'TAX_RECORD_NOT_POSSIBLE',
] as const

export const createInvoice = operation('POST /invoices', {
  announces: { event: 'invoice.changed', change: 'created' },
  ...toEdit,
  summary: 'Create a draft invoice for a client',
  body: { clientId: Id, ...toDraft },
  reply: Invoice,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
  isIdempotent: true,
})

export const computeInvoiceFigures = operation('POST /invoices/figures', {
  ...toEdit,
  summary: 'Compute the amounts of invoice lines without storing anything',
  description:
    'Lines are computed and refused as when an invoice with them is created. `isRectifying` allows a negative total.',
  body: { lines: NewLines, isRectifying: Type.Optional(Type.Boolean()) },
  reply: InvoiceFigures,
})

export const createInvoiceOfUser = operation('POST /invoices', {
  announces: { event: 'invoice.changed', change: 'created' },
  ...byApplications('crm:invoices:write'),
  limit: undefined,
  summary: 'Create and issue an invoice for a user of the application',
  description:
    '`user` creates an unknown user and bills them as the client with the same name (`company`, otherwise ' +
    '`name`) and tax id, or as a new client. For a known user it updates name and e-mail and fills in empty ' +
    'fields of the client. With `issue: false` the invoice stays a draft; send `issueDate` when you issue it. ' +
    'The amounts are computed: see the guide.',
  body: {
    userId: UserId,
    user: Type.Optional(BilledUser),
    lines: NewLines,
    ...terms,
    issue: Type.Optional(Type.Boolean({ default: true })),
    issueDate,
  },
  reply: Invoice,
  status: 201,
  errors: ['EXTERNAL_USER_NOT_FOUND', 'CLIENT_ARCHIVED', ...refusedToIssue],
})

/** A page of invoices. */
export const InvoiceList = Paginated(InvoiceSummary)

export const invoiceOrders = ['createdAt', 'issueDate', 'dueDate', 'number', 'totalCents'] as const
export type InvoiceOrder = (typeof invoiceOrders)[number]
/** The filters of lists and exports of invoices. */
const filters = {
  status: Type.Optional(OneOf(invoiceStatuses)),
  clientId: Type.Optional(Id),
  applicationId: Type.Optional(Id),
  userId,
  budgetId: Type.Optional(Id),
  issuedFrom: Type.Optional(Day),
  issuedTo: Type.Optional(Day),
  dueFrom: Type.Optional(Day),
  dueTo: Type.Optional(Day),
  unpaid: Type.Optional(Type.Boolean({ description: 'Only issued invoices with an amount due' })),
  overdue: Type.Optional(
    Type.Boolean({ description: 'Only overdue invoices; by default the longest overdue first' }),
  ),
  search,
}

export const listInvoices = operation('GET /invoices', {
  ...view('crm:invoices:read'),
  summary: 'List invoices, newest first',
  description:
    `An application sees only its own invoices. \`total\` counts at most ${limits.invoicesCounted}, and there ` +
    `are at most ${limits.invoicePages} pages. Members who filter by user also name the application. Ranges of ` +
    'days include both ends. `search` finds the beginning of a number, a part of a client’s name, for at most ' +
    `${limits.invoiceClientsSought} clients, or a total in the smallest unit of the currency. With several ` +
    `filters, or a filter and \`orderBy\`, the list examines the newest ${limits.invoicesCounted} invoices that ` +
    `match one filter. The orders dueDate and totalCents, a range of due days alone, and a search for a total examine ` +
    `the newest ${limits.billingRowsExamined} invoices. Drafts count as the latest days and the smallest number.`,
  query: {
    ...listQuery,
    ...filters,
    ids: Type.Optional(
      Type.Array(Id, {
        maxItems: limits.invoicesById,
        description:
          'Only these invoices, all on one page, to read them again; repeat the parameter for several',
      }),
    ),
    orderBy: Type.Optional(OneOf(invoiceOrders)),
    order: Type.Optional(OneOf(['asc', 'desc'], { description: 'Defaults to desc' })),
  },
  reply: InvoiceList,
})

export const exportInvoices = operation('GET /invoices/export', {
  ...toView,
  summary: 'Export invoices as a CSV file, oldest first',
  description:
    'Takes the filters of GET /invoices, without its limits on totals. Amounts are decimal numbers with the ' +
    'decimals of their currency. Values that a spreadsheet would read as a formula are prefixed with an ' +
    'apostrophe.',
  query: {
    ...filters,
    byteOrderMark: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Begin with the mark by which spreadsheets recognize UTF-8',
      }),
    ),
  },
  responseType: 'text/csv',
})

export const readInvoice = operation('GET /invoices/:id', {
  ...view('crm:invoices:read'),
  summary: 'Get an invoice',
  params: id,
  query: { userId },
  reply: Invoice,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})

export const updateInvoice = operation('PATCH /invoices/:id', {
  announces: { event: 'invoice.changed' },
  ...toEdit,
  summary: 'Update a draft invoice',
  description:
    'Omitted fields keep their values. `internalNotes` can be changed at any time, all other fields of a ' +
    'draft only. The client of an invoice for an application’s user cannot be changed.',
  params: id,
  body: {
    clientId: Type.Optional(Id),
    ...toDraft,
    rectifyingReason: Type.Optional(Reason(limits.rectifyingReason, 1)),
  },
  bodyOptional: true,
  reply: Invoice,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_NOT_DRAFT', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})

export const removeInvoice = operation('DELETE /invoices/:id', {
  announces: { event: 'invoice.changed', change: 'removed' },
  ...toEdit,
  summary: 'Delete a draft invoice',
  params: id,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_NOT_DRAFT'],
})

export const issueInvoice = operation('POST /invoices/:id/issue', {
  announces: { event: 'invoice.changed' },
  ...edit,
  summary: 'Issue a draft invoice',
  description:
    'The invoice gets its number and can no longer be changed. The numbers of a series have no gaps and ' +
    'follow the order of dates. Issuer and recipient are stored as they are now. An invoice with a total of ' +
    'zero is PAID at once. Only members issue rectifying invoices.',
  params: id,
  body: { userId, issueDate },
  bodyOptional: true,
  reply: Invoice,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_NOT_DRAFT',
    ...refusedToIssue,
    'INVOICE_PAYMENT_IN_PROGRESS',
    'INVOICE_STATE_INVALID',
    'RECTIFIED_TOO_MUCH',
  ],
})

export const voidInvoice = operation('POST /invoices/:id/void', {
  announces: { event: 'invoice.changed' },
  ...edit,
  summary: 'Void an invoice that was issued by mistake',
  description:
    'The number stays used. An invoice with payments cannot be voided: refund or rectify it first. Voiding ' +
    'refunds nothing. It revokes the public links. Voiding a rectifying invoice makes the rectified amount ' +
    'due again.',
  params: id,
  body: { userId },
  bodyOptional: true,
  reply: Invoice,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_STATE_INVALID',
    'INVOICE_PAYMENT_IN_PROGRESS',
    'INVOICE_HAS_MONEY',
    'INVOICE_RECTIFIED',
  ],
})

export const rectifyInvoice = operation('POST /invoices/:id/rectify', {
  announces: { event: 'invoice.changed', change: 'created' },
  ...toEdit,
  summary: 'Create a draft that rectifies an issued invoice',
  description:
    'Without `lines` it takes back all lines. Once issued, it has a number in a series of its own, and the ' +
    'amount that it takes off is no longer due. To return money, refund the payment.',
  params: id,
  body: { reason: Reason(limits.rectifyingReason, 1), lines: Type.Optional(NewLines) },
  reply: Invoice,
  status: 201,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
  isIdempotent: true,
})

export const readInvoicePdf = operation('GET /invoices/:id/pdf', {
  ...view('crm:invoices:read'),
  summary: 'Get an invoice as PDF',
  description: 'A draft is marked as such. Needs the API key; give users a public link instead.',
  params: id,
  query: { userId },
  responseType: 'application/pdf',
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})

export const readEInvoice = operation('GET /invoices/:id/e-invoice', {
  ...view('crm:invoices:read'),
  summary: 'Get an issued invoice as UBL 2.1 (EN 16931) or Facturae 3.2.2',
  description:
    'The file contains what was issued and does not depend on payments. Facturae is not signed. `details` of ' +
    '`INVOICE_FORMAT_UNAVAILABLE` names each datum that is missing (`required`), is not valid in the format ' +
    '(`format`, `too_long`), or has no place in it (`not_supported`).',
  params: id,
  query: { userId, format: EInvoiceFormat },
  responseType: 'application/xml',
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID', 'INVOICE_FORMAT_UNAVAILABLE'],
})

export const makeInvoicePdfAddress = operation('POST /invoices/:id/pdf-address', {
  ...toView,
  summary: 'Create a short-lived address of the PDF of an invoice',
  description:
    `A browser can open the address for ${limits.documentAddressSeconds} seconds without a header. It works only ` +
    'for the caller, as long as they stay signed in and may read invoices, and until the invoice changes.',
  params: id,
  reply: DocumentAddress,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})

export const openInvoicePdf = operation('GET /invoices/:id/pdf/open', {
  area: 'billing',
  auth: { public: true },
  summary: 'Open the PDF of an invoice by its short-lived address',
  params: id,
  query: documentAddressQuery,
  responseType: 'application/pdf',
  errors: ['DOCUMENT_ADDRESS_INVALID'],
  limit: documentAddressLimit,
})
