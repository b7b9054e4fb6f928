import { writing } from '#platform/language.ts'
import { layOutMail, type MailSender } from '#platform/mail-layout.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { dueOf } from '../invoices/invoice.rules.ts'
import { fillTemplate, type TemplateText, type TemplateValues } from './templates/mail-template.rules.ts'

export type InvoiceMail = ReturnType<typeof layOutMail>

/** How a mail presents its sender, and the page that its button opens. */
type Presentation = {
  sender: MailSender
  /** The address of the page of the invoice; its button says "pay" if the invoice can be paid by card there. */
  page: { url: string; isPayable: boolean }
}

/**
 * The mail of an invoice: the text of the template, or the unmodified message instead, followed by the invoice's
 * data (SND-6). It comes from the issuer of the invoice.
 */
export function invoiceMail(
  invoice: InvoiceRow,
  template: TemplateText,
  { sender, page }: Presentation,
  message?: string,
): InvoiceMail {
  const values = valuesOf(invoice)
  const text = (message ?? fillTemplate(template.body, values)).replaceAll('\r\n', '\n').trim()
  const canPay = payUrlOf(invoice, page) !== undefined
  const { issuer } = invoice
  return layOutMail(issuer ? { ...sender, name: issuer.name, replyTo: issuer.email } : sender, {
    language: 'es',
    subject: fillTemplate(template.subject, values),
    paragraphs: text.split(/\n{2,}/).filter(Boolean),
    facts: dataOf(invoice, values),
    action: { label: canPay ? `Pagar ${values.due}` : 'Ver la factura', url: page.url },
  })
}

/** The page of the invoice in its PDF, if the invoice can be paid by card there. */
export function payUrlOf(invoice: InvoiceRow, { url, isPayable }: Presentation['page']): string | undefined {
  return isPayable && dueOf(invoice) > 0 ? url : undefined
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
