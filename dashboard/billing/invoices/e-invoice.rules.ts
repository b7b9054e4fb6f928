import type { EInvoiceTexts } from './e-invoice.words.ts'

/** A detail of the refusal INVOICE_FORMAT_UNAVAILABLE. */
export type FormatProblem = { path: string; code: string; message: string }

/** A problem in words: `Postal code of the client: missing`. The text of the server is used for an unknown path. */
export function problemText({ path, code, message }: FormatProblem, text: EInvoiceTexts): string {
  const [role = '', field] = path.split('.')
  const reasons: Record<string, string> = {
    required: text.required,
    format: text.format,
    too_long: text.too_long,
    not_supported: text.not_supported,
  }
  return `${datumText(role, field, text) ?? path}: ${reasons[code] ?? message}`
}

function datumText(role: string, field: string | undefined, text: EInvoiceTexts): string | undefined {
  const fields: Record<string, string> = {
    name: text.name,
    taxId: text.taxId,
    address: text.address,
    city: text.city,
    postalCode: text.postalCode,
    country: text.country,
    email: text.email,
    currency: text.currency,
    notes: text.notes,
  }
  if (field === undefined) return fields[role]
  if (role === 'lines') return text.line(Number(field) + 1)
  const datum = fields[field]
  return datum && `${datum} ${role === 'issuer' ? text.ofIssuer : text.ofRecipient}`
}

/** Whether the client can provide everything that is missing: the tax id and the postal code (EINV-4). */
export function canFillIn(problems: readonly FormatProblem[]): boolean {
  const fields = ['recipient.taxId', 'recipient.postalCode']
  return problems.every(({ path, code }) => code === 'required' && fields.includes(path))
}
