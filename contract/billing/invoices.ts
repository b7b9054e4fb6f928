import Type, { type Static } from 'typebox'
import { Client } from '../crm/clients.ts'
import { Country, Listed, listQuery } from '../crm/shapes.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import type { Scope } from '../permissions.ts'
import { Email, Id, Name, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { byApplications, toEdit, toView } from './doors.ts'
import { Cents, Currency, Day, InvoiceSummary, invoiceStatuses, UserId } from './shapes.ts'

const id = { id: Id }
/** The user is named at the application door: see lockInvoice. */
const userId = Type.Optional(UserId)
/** The same operation at both doors. */
const view = <const S extends Scope>(scope: S) => ({
  ...toView,
  doors: { application: { scope }, ...toView.doors },
})
const edit = {
  ...byApplications('crm:invoices:write'),
  doors: { application: { scope: 'crm:invoices:write' }, ...toEdit.doors },
} as const

const Decimal = (digits: number, places: number, description: string) =>
  Type.String({
    maxLength: digits + places + 2,
    pattern: `^-?\\d{1,${digits}}(?:\\.\\d{1,${places}})?$`,
    description: `${description}, a decimal number as text`,
  })

const Tax = {
  name: Name(limits.taxName),
  rate: Decimal(3, 4, 'Per cent; less than nothing when it is withheld'),
}
const lineFields = {
  description: Text(limits.invoiceLineText, 1),
  unitPriceCents: Type.Integer({ minimum: -limits.invoiceCents, maximum: limits.invoiceCents }),
}
const NewLine = Type.Object(
  {
    ...lineFields,
    quantity: Type.Optional(Decimal(9, 4, 'How much')),
    discountPercent: Type.Optional(Nullable(Decimal(3, 4, 'Per cent off'))),
    taxes: Type.Optional(
      Type.Array(Type.Object(Tax, { additionalProperties: false }), { maxItems: limits.invoiceTaxes }),
    ),
  },
  { additionalProperties: false },
)
/** What is billed, as it is given; the figures are computed. */
export const NewLines = Type.Array(NewLine, { maxItems: limits.invoiceLines })
export type NewLines = Static<typeof NewLines>

const Line = Type.Object({
  ...lineFields,
  quantity: Type.String(),
  discountPercent: Nullable(Type.String()),
  taxes: Type.Array(Type.Object(Tax)),
  subtotalCents: Cents,
})
const TaxOfAll = Type.Object({
  ...Tax,
  baseCents: Type.Integer({ description: 'What all lines with this tax come to' }),
  amountCents: Cents,
})
const { name, taxId, address, city, postalCode, country, email } = Client.properties
/** A party of an invoice as it was when the invoice was issued. */
export const Party = Type.Object({ name, taxId, address, city, postalCode, country, email })

/** Money that came in for an invoice. */
export const Payment = Type.Object({
  id: Id,
  method: Type.String(),
  amountCents: Cents,
  refundedCents: Cents,
  paidAt: Time,
  reference: Nullable(Type.String()),
  paymentIntentId: Nullable(Type.String()),
  createdAt: Time,
})
/** A whole invoice. */
export const Invoice = Type.Object({
  ...InvoiceSummary.properties,
  applicationId: Nullable(Id),
  isRectifying: Type.Boolean(),
  rectifyingReason: Nullable(Type.String()),
  rectifiedBy: Type.Array(
    Type.Object({
      id: Id,
      number: Nullable(Type.String()),
      status: OneOf(invoiceStatuses),
      totalCents: Cents,
    }),
    { description: 'The invoices that rectify it, the oldest first' },
  ),
  overpaidCents: Cents,
  lines: Type.Array(Line),
  taxes: Type.Array(TaxOfAll),
  issuer: Nullable(Party),
  recipient: Nullable(Party),
  notes: Nullable(Type.String()),
  internalNotes: Type.Optional(
    Nullable(Type.String({ description: 'Not for the client, and not told to applications' })),
  ),
  payments: Type.Array(Payment),
  issuedAt: Nullable(Time),
  voidedAt: Nullable(Time),
})
export type Invoice = Static<typeof Invoice>

const Notes = Nullable(Text(limits.invoiceNotes))
const terms = {
  currency: Type.Optional(Currency),
  dueDate: Type.Optional(Nullable(Day)),
  isSubscription: Type.Optional(Type.Boolean()),
  notes: Type.Optional(Notes),
}
const toDraft = { lines: Type.Optional(NewLines), ...terms, internalNotes: Type.Optional(Notes) }
const issueDate = Type.Optional(
  Type.String({ ...Day, description: 'Today when it is left out; not before the last of its series' }),
)
const refusedToIssue = ['INVOICE_EMPTY', 'ISSUER_REQUIRED', 'RECIPIENT_INCOMPLETE'] as const

export const createInvoice = endpoint('POST /invoices', {
  ...toEdit,
  summary: 'Begin an invoice for a client, as a draft',
  body: { clientId: Id, ...toDraft },
  reply: Invoice,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})

/** Who is billed, as an application tells it. */
export const BilledUser = Type.Object(
  {
    name: Name(limits.clientName),
    company: Type.Optional(Name(limits.clientName)),
    email: Type.Optional(Nullable(Email)),
    taxId: Type.Optional(Nullable(Name(limits.clientTaxId))),
    address: Type.Optional(Nullable(Name(limits.clientAddress))),
    city: Type.Optional(Nullable(Name(limits.clientPlace))),
    postalCode: Type.Optional(Nullable(Name(limits.clientPostalCode))),
    country: Type.Optional(Nullable(Country)),
  },
  { additionalProperties: false },
)
export const createInvoiceOfUser = endpoint('POST /invoices', {
  ...byApplications('crm:invoices:write'),
  limit: undefined,
  summary: 'Create an invoice for a user of the application, and issue it',
  description:
    'A user who is not known yet is made known with `user`, and billed as the client of the same name (`company`, else ' +
    '`name`) and tax id, or as a new one. Of a user who is known `user` brings name and e-mail up to date, and tells the ' +
    'client what it lacks. With `issue: false` it stays a draft. Figures are computed here: see the guide.',
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

export const listInvoices = endpoint('GET /invoices', {
  ...view('crm:invoices:read'),
  summary: 'List invoices, the newest first',
  description:
    `An application has its own alone. At most ${limits.invoicesCounted} are counted in \`total\`, and pages go up to ` +
    `${limits.invoicePages}. People name a user together with the application.`,
  query: {
    ...listQuery,
    status: Type.Optional(OneOf(invoiceStatuses)),
    clientId: Type.Optional(Id),
    applicationId: Type.Optional(Id),
    userId,
  },
  reply: Listed(InvoiceSummary),
})

export const readInvoice = endpoint('GET /invoices/:id', {
  ...view('crm:invoices:read'),
  summary: 'An invoice',
  params: id,
  query: { userId },
  reply: Invoice,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})

export const updateInvoice = endpoint('PATCH /invoices/:id', {
  ...toEdit,
  summary: 'Change a draft',
  description:
    'What is left out stays as it is. `internalNotes` can be changed at any time, the rest of a draft only. The client of ' +
    'an invoice for a user of an application is the one that the user has.',
  params: id,
  body: {
    clientId: Type.Optional(Id),
    ...toDraft,
    rectifyingReason: Type.Optional(Text(limits.rectifyingReason, 1)),
  },
  bodyOptional: true,
  reply: Invoice,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_NOT_DRAFT', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})

export const removeInvoice = endpoint('DELETE /invoices/:id', {
  ...toEdit,
  summary: 'Delete a draft',
  params: id,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_NOT_DRAFT'],
})

export const issueInvoice = endpoint('POST /invoices/:id/issue', {
  ...edit,
  summary: 'Issue a draft: it gets its number, and does not change any more',
  description:
    'Numbers of a series have no gaps and are in the order of their days. Who issues and who receives is kept as it is ' +
    'now. One that comes to nothing is paid at once.',
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

export const voidInvoice = endpoint('POST /invoices/:id/void', {
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

export const rectifyInvoice = endpoint('POST /invoices/:id/rectify', {
  ...toEdit,
  summary: 'Begin the invoice that rectifies an issued one, as a draft',
  description:
    'Without `lines` it takes all of them back. In a series of its own once it is issued; then what it takes off is not ' +
    'due any more. Money is given back by a refund.',
  params: id,
  body: { reason: Text(limits.rectifyingReason, 1), lines: Type.Optional(NewLines) },
  reply: Invoice,
  status: 201,
  errors: ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'],
})

export const readInvoicePdf = endpoint('GET /invoices/:id/pdf', {
  ...view('crm:invoices:read'),
  summary: 'An invoice as PDF',
  description: 'A draft is marked as one. Needs the key: users are given a public link instead.',
  params: id,
  query: { userId },
  sends: 'application/pdf',
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
