import {
  type createInvoiceTemplate,
  type InvoiceTemplate,
  templateVariables,
} from '#contract/billing/templates.ts'
import type { Input } from '#contract/operation.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'
import { withFullStop } from '#platform/language.ts'

export type TemplateRow = {
  id: string
  name: string
  subject: string
  body: string
  is_default: boolean
  created_at: string
  updated_at: string
}
export type TemplateText = Pick<TemplateRow, 'subject' | 'body'>
export type TemplateValues = Record<(typeof templateVariables)[number], string>
type TemplateFields = Partial<Input<typeof createInvoiceTemplate>['body']>

/** Used until the organization defines a default template. */
export const builtIn: TemplateText = {
  subject: 'Factura {{number}} de {{issuerName}}',
  body: 'Hola:\n\nTe enviamos adjunta la factura {{number}} a nombre de {{clientName}}.\n\nUn saludo,\n{{issuerName}}',
}

const variable = /\{\{\s*(\w+)\s*\}\}/g

const variableAndDot = /\{\{\s*(\w+)\s*\}\}(\.(?!\.))?/g

/**
 * Replaces the variables in one pass, so that a value cannot contain one. A value that ends with a dot, such as
 * `Acme S.A.U.`, also ends its sentence.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(variableAndDot, (_, name: keyof TemplateValues, dot = '') =>
    dot === '' ? values[name] : withFullStop(values[name]),
  )
}

/** Refuses unknown variables and unmatched braces. */
export function assertVariables(texts: Partial<TemplateText>): void {
  const details = Object.entries(texts).flatMap(([path, text]) => variableErrors(path, text))
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

function variableErrors(path: string, text: string): ErrorDetail[] {
  const known: readonly string[] = templateVariables
  const rest = text.replace(variable, (whole, name: string) => (known.includes(name) ? '' : whole))
  if (!/\{\{|\}\}/.test(rest)) return []
  return [{ path, code: 'variable', message: `may only contain these variables: ${known.join(', ')}` }]
}

export function withTemplateFields(template: TemplateRow, input: TemplateFields): TemplateRow {
  return {
    ...template,
    name: input.name?.trim() ?? template.name,
    subject: input.subject?.trim() ?? template.subject,
    body: input.body ?? template.body,
    is_default: input.isDefault ?? template.is_default,
  }
}

const fields = { name: 'name', subject: 'subject', body: 'body', is_default: 'isDefault' } as const

/** The fields that differ between two states of a template. */
export function changedTemplateFields(before: TemplateRow, after: TemplateRow): string[] {
  return Object.entries(fields).flatMap(([column, field]) =>
    before[column as keyof typeof fields] === after[column as keyof typeof fields] ? [] : [field],
  )
}

export function showTemplate(row: TemplateRow): InvoiceTemplate {
  const { id, name, subject, body } = row
  const { is_default: isDefault, created_at: createdAt, updated_at: updatedAt } = row
  return { id, name, subject, body, isDefault, createdAt, updatedAt }
}
