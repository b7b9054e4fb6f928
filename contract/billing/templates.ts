import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Text, Time } from '../shapes.ts'
import { toEdit, toView } from './auth.ts'

/** What the text of a template may name, as `{{number}}`. */
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

/** What a mail with an invoice says; what the invoice comes to stands below it in every one. */
export const InvoiceTemplate = Type.Object({
  id: Id,
  name: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  isDefault: Type.Boolean({ description: 'Used when a mail names no other' }),
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
  Type.Boolean({ description: 'The default one, which another one was until now' }),
)

export const listInvoiceTemplates = operation('GET /templates', {
  ...toView,
  summary: 'The templates of mails with invoices, by name',
  description: 'When none is the default one, a text in Spanish that comes with the product is.',
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
  summary: 'A template',
  params,
  reply: InvoiceTemplate,
  errors: ['TEMPLATE_NOT_FOUND'],
})
export const updateInvoiceTemplate = operation('PATCH /templates/:templateId', {
  ...toEdit,
  summary: 'Change a template',
  description: `What is left out stays as it is. ${described}`,
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

/** A mail as it goes out with an invoice. */
const Letter = Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() })
export const previewInvoiceTemplate = operation('POST /templates/preview', {
  ...toView,
  summary: 'What a mail would say with a text',
  description: `Of an invoice, or of an example when none is named. Nothing is kept or sent. ${described}`,
  body: { subject: fields.subject, body: fields.body, invoiceId: Type.Optional(Id) },
  reply: Letter,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const testInvoiceTemplate = operation('POST /templates/:templateId/test', {
  ...toEdit,
  summary: 'Mail a template to oneself',
  description: `With an example of an invoice. At most ${limits.templateTestsPerHour} an hour.`,
  params,
  reply: Type.Object({ sent: Type.Boolean(), recipient: Email, sentAt: Time }),
  errors: ['TEMPLATE_NOT_FOUND', 'INVOICE_EMAIL_NOT_SENT'],
  limit: { bucket: 'template-tests', times: limits.templateTestsPerHour, windowSeconds: 3_600 },
})
