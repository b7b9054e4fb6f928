import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toView } from './auth.ts'

/** The variables of a template, written as `{{number}}`. */
export const templateVariables = [
  'number',
  'issueDate',
  'dueDate',
  'total',
  'due',
  'clientName',
  'issuerName',
] as const

const params = { templateId: Id }
const described = `Variables: ${templateVariables.map(name => `\`{{${name}}}\``).join(', ')}.`

/** The text of e-mails with invoices. The data of the invoice follows the text. */
export const InvoiceTemplate = Type.Object({
  id: Id,
  name: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  isDefault: Type.Boolean({ description: 'Used when no template is requested' }),
  createdAt: Time,
  updatedAt: Time,
})
export type InvoiceTemplate = Static<typeof InvoiceTemplate>

const fields = {
  name: Name(limits.templateName),
  subject: Name(limits.templateSubject),
  body: Text(limits.templateBody, 1),
}
const isDefault = Type.Optional(
  Type.Boolean({ description: 'Makes it the default instead of the current one' }),
)

export const listInvoiceTemplates = operation('GET /templates', {
  ...toView,
  summary: 'List the templates of invoice e-mails, by name',
  description: 'Without a default template, a built-in Spanish text is used.',
  reply: Type.Object({ items: Type.Array(InvoiceTemplate) }),
})
export const createInvoiceTemplate = operation('POST /templates', {
  ...toEdit,
  summary: 'Create a template',
  description: described,
  body: { ...fields, isDefault },
  reply: InvoiceTemplate,
  status: 201,
  errors: ['TOO_MANY_TEMPLATES'],
  isIdempotent: true,
})
export const readInvoiceTemplate = operation('GET /templates/:templateId', {
  ...toView,
  summary: 'Get a template',
  params,
  reply: InvoiceTemplate,
  errors: ['TEMPLATE_NOT_FOUND'],
})
export const updateInvoiceTemplate = operation('PATCH /templates/:templateId', {
  ...toEdit,
  summary: 'Update a template',
  description: `Omitted fields keep their values. ${described}`,
  params,
  body: {
    name: Type.Optional(fields.name),
    subject: Type.Optional(fields.subject),
    body: Type.Optional(fields.body),
    isDefault,
  },
  bodyOptional: true,
  reply: InvoiceTemplate,
  errors: ['TEMPLATE_NOT_FOUND', 'NOTHING_TO_CHANGE'],
})
export const removeInvoiceTemplate = operation('DELETE /templates/:templateId', {
  ...toEdit,
  summary: 'Delete a template',
  params,
  errors: ['TEMPLATE_NOT_FOUND'],
})

/** A rendered e-mail. */
export const Letter = Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() })
export const previewInvoiceTemplate = operation('POST /templates/preview', {
  ...toView,
  summary: 'Preview a template text',
  description: `Renders it for an invoice, or for an example when none is named. Nothing is stored or sent. ${described}`,
  body: { subject: fields.subject, body: fields.body, invoiceId: Type.Optional(Id) },
  reply: Letter,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const testInvoiceTemplate = operation('POST /templates/:templateId/test', {
  ...toEdit,
  summary: 'Send a test e-mail of a template to yourself',
  description: `Uses an example invoice. At most ${limits.templateTestsPerHour} an hour.`,
  params,
  reply: Type.Object({ sent: Type.Boolean(), recipient: Email, sentAt: Time }),
  errors: ['TEMPLATE_NOT_FOUND', 'INVOICE_EMAIL_NOT_SENT'],
  limit: { bucket: 'template-tests', times: limits.templateTestsPerHour, windowSeconds: 3_600 },
})
