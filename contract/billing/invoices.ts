import Type from 'typebox'
import { listQuery, Paginated, search } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Scope } from '../permissions.ts'
import { Currency, Day, Id, Nullable, OneOf, Reason, Text } from '../shapes.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { BilledUser, Invoice, NewLines } from './invoice.ts'
import { InvoiceSummary, invoiceStatuses, UserId } from './shapes.ts'

const id = { id: Id }
/** The user is named at the application door: see lockInvoice. */
const userId = Type.Optional(UserId)
/** The same operation at both doors. */
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
    description: 'Today, in UTC, when it is left out; not before the last of its series',
  }),
)
const refusedToIssue = ['INVOICE_EMPTY', 'ISSUER_REQUIRED', 'RECIPIENT_INCOMPLETE'] as const

export const createInvoice = operation('POST /invoices', {
  ...toEdit,
  summary: 'Begin an invoice for a client, as a draft',
  body: { clientId: Id, ...toDraft },
  reply: Invoice,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
  isIdempotent: true,
})

export const createInvoiceOfUser = operation('POST /invoices', {
  ...byApplications('crm:invoices:write'),
  limit: undefined,
  summary: 'Create an invoice for a user of the application, and issue it',
  description:
    'A user who is not known yet is made known with `user`, and billed as the client of the same name (`company`, else ' +
    '`name`) and tax id, or as a new one. Of a user who is known `user` brings name and e-mail up to date, and tells the ' +
    'client what it lacks. With `issue: false` it stays a draft, whose `issueDate` is given when it is issued. Figures are computed here: see the guide.',
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

export const listInvoices = operation('GET /invoices', {
  ...view('crm:invoices:read'),
  summary: 'List invoices, the newest first',
  description:
    `An application has its own alone. At most ${limits.invoicesCounted} are counted in \`total\`, and pages go up to ` +
    `${limits.invoicePages}. People name a user together with the application. \`search\` finds the beginning of a number, or ` +
    `a part of the name of a client, of ${limits.invoiceClientsSought} clients at most.`,
  query: {
    ...listQuery,
    status: Type.Optional(OneOf(invoiceStatuses)),
    clientId: Type.Optional(Id),
    applicationId: Type.Optional(Id),
    userId,
    overdue: Type.Optional(
      Type.Boolean({ description: 'Those that should have been paid by now, the longest due first' }),
    ),
    search,
  },
  reply: InvoiceList,
})

export const readInvoice = operation('GET /invoices/:id', {
  ...view('crm:invoices:read'),
  summary: 'An invoice',
  params: id,
  query: { userId },
  reply: Invoice,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})

export const updateInvoice = operation('PATCH /invoices/:id', {
  ...toEdit,
  summary: 'Change a draft',
  description:
    'What is left out stays as it is. `internalNotes` can be changed at any time, the rest of a draft only. The client of ' +
    'an invoice for a user of an application is the one that the user has.',
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
  ...toEdit,
  summary: 'Delete a draft',
  params: id,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_NOT_DRAFT'],
})

export const issueInvoice = operation('POST /invoices/:id/issue', {
  ...edit,
  summary: 'Issue a draft: it gets its number, and does not change any more',
  description:
    'Numbers of a series have no gaps and are in the order of their days. Who issues and who receives is kept as it is ' +
    'now. One that comes to nothing is paid at once. One that rectifies another is issued by people.',
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
  ...edit,
  summary: 'Void an invoice that was issued by mistake; its number stays',
  description:
    'Not one for which money is there: refund it first, or rectify it. Nothing is refunded by this. Its public links end. ' +
    'One that rectifies another gives the other its debt back.',
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
  ...toEdit,
  summary: 'Begin the invoice that rectifies an issued one, as a draft',
  description:
    'Without `lines` it takes all of them back. In a series of its own once it is issued; then what it takes off is not ' +
    'due any more. Money is given back by a refund.',
  params: id,
  body: { reason: Reason(limits.rectifyingReason, 1), lines: Type.Optional(NewLines) },
  reply: Invoice,
  status: 201,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
  isIdempotent: true,
})

export const readInvoicePdf = operation('GET /invoices/:id/pdf', {
  ...view('crm:invoices:read'),
  summary: 'An invoice as PDF',
  description: 'A draft is marked as one. Needs the key: users are given a public link instead.',
  params: id,
  query: { userId },
  responseType: 'application/pdf',
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
