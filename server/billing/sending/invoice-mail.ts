import { type Html, html } from '#platform/http/html-page.ts'
import { writing } from '#platform/language.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { dueOf } from '../invoices/invoice.rules.ts'
import { fillTemplate, type TemplateText, type TemplateValues } from './templates/mail-template.rules.ts'

export type InvoiceMail = { subject: string; text: string; html: string }

/**
 * The mail of an invoice: the text of the template, or the unmodified message instead, followed by the invoice's
 * data (SND-6).
 */
export function invoiceMail(invoice: InvoiceRow, template: TemplateText, message?: string): InvoiceMail {
  const values = valuesOf(invoice)
  const text = (message ?? fillTemplate(template.body, values)).replaceAll('\r\n', '\n').trim()
  const data = dataOf(invoice, values)
  return {
    subject: oneLine(fillTemplate(template.subject, values)),
    text: `${[text, data.map(row => row.join(': ')).join('\n')].filter(Boolean).join('\n\n')}\n`,
    html: page(text, data).text,
  }
}

function valuesOf(invoice: InvoiceRow): TemplateValues {
  const money = writing.es.moneyIn(invoice.currency)
  const dayOf = (date: string | null) => (date === null ? '' : writing.es.day(date))
  return {
    number: invoice.number ?? '',
    issueDate: dayOf(invoice.issue_date),
    dueDate: dayOf(invoice.due_date),
    total: money(invoice.total_cents),
    due: money(dueOf(invoice)),
    clientName: invoice.recipient?.name ?? invoice.client_name,
    issuerName: invoice.issuer?.name ?? '',
  }
}

type Data = [name: string, value: string][]

function dataOf({ is_rectifying }: InvoiceRow, values: TemplateValues): Data {
  const rows: Data = [
    [is_rectifying ? 'Factura rectificativa' : 'Factura', values.number],
    ['Fecha de expedición', values.issueDate],
    ['Vencimiento', values.dueDate],
    ['Total', values.total],
    ['Pendiente', values.due],
  ]
  return rows.filter(([, value]) => value !== '')
}

function page(text: string, data: Data): Html {
  const paragraphs = text.split(/\n{2,}/).filter(Boolean)
  const lines = (paragraph: string) => paragraph.split('\n').map((line, n) => [n > 0 && html`<br>`, line])
  const rows = data.map(
    ([name, value]) => html`<tr><th scope="row" align="left">${name}</th><td align="right">${value}</td></tr>
`,
  )
  return html`<!doctype html>
<html lang="es"><body>
${paragraphs.map(
  paragraph => html`<p>${lines(paragraph)}</p>
`,
)}<table cellpadding="4">
${rows}</table>
</body></html>
`
}

/** A subject has one line, whatever the inserted names contain. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
