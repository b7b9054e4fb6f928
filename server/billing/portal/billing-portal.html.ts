import type { PortalInvoice } from '#contract/billing/portal.ts'
import type { EInvoiceFormat } from '#contract/billing/shapes.ts'
import { HtmlPage, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import { portalPage } from '#server/crm/index.ts'

const es = {
  title: 'Facturas',
  none: 'Todavía no hay ninguna.',
  number: 'Número',
  dueDate: 'Vencimiento',
  total: 'Total',
  paid: 'Pagada',
  rectified: 'Rectificada: no hay nada que pagar',
  due: (sum: string) => `Pendiente: ${sum}`,
  overdue: (sum: string) => `Vencida: ${sum}`,
  pay: 'Pagar',
  toPayment: 'Ir a la página de pago',
  format: (name: string, number: string) => `Descargar ${number} como ${name}`,
}
const en: typeof es = {
  title: 'Invoices',
  none: 'There are no invoices yet.',
  number: 'Number',
  dueDate: 'Due on',
  total: 'Total',
  paid: 'Paid',
  rectified: 'Rectified: nothing is due',
  due: sum => `Amount due: ${sum}`,
  overdue: sum => `Overdue: ${sum}`,
  pay: 'Pay',
  toPayment: 'Continue to the payment page',
  format: (name, number) => `Download ${number} as ${name}`,
}
const texts: Record<Language, typeof es> = { es, en }
const formatNames: Record<EInvoiceFormat, string> = { UBL: 'UBL', FACTURAE: 'Facturae' }

/** The invoices of a client, each with its PDF. Works without scripts. */
export function invoicesPage(
  language: Language,
  customer: Parameters<typeof portalPage>[1],
  invoices: readonly PortalInvoice[],
): HtmlPage {
  const t = texts[language]
  const { day, moneyIn } = writing[language]
  const stateOf = ({ status, dueCents, isOverdue, currency }: PortalInvoice) => {
    const sum = moneyIn(currency)(dueCents)
    if (status === 'RECTIFIED') return t.rectified
    if (dueCents === 0) return t.paid
    return isOverdue ? t.overdue(sum) : t.due(sum)
  }
  const linkTo = (format: EInvoiceFormat, { id, number }: PortalInvoice) => {
    const name = formatNames[format]
    return html` <a href="/portal/invoices/${id}/e-invoice?format=${format}" aria-label="${t.format(name, number)}">${name}</a>`
  }
  const rows = invoices.map(
    invoice => html`<tr>
<td><a href="/portal/invoices/${invoice.id}/pdf" target="_blank" rel="noopener">${invoice.number}</a><br>
<small>${day(invoice.issueDate)}${invoice.dueDate && html`<br>${t.dueDate}: ${day(invoice.dueDate)}`}
${invoice.formats.length > 0 && html`<br>${invoice.formats.map(format => linkTo(format, invoice))}`}</small></td>
<td class="figure">${moneyIn(invoice.currency)(invoice.totalCents)}<br><small>${stateOf(invoice)}</small>
${invoice.isPayable && html`<form method="post" action="/portal/invoices/${invoice.id}/pay"><button aria-label="${t.pay} ${invoice.number}">${t.pay}</button></form>`}</td>
</tr>`,
  )
  const table = html`<table>
<thead><tr><th>${t.number}</th><th class="figure">${t.total}</th></tr></thead>
${rows}
</table>`
  const body = rows.length === 0 ? html`<p>${t.none}</p>` : table
  return portalPage(language, customer, { section: 'invoices', title: t.title, body })
}

/** Sends the browser from the portal to the payment page. */
export function paymentRedirectPage(language: Language, url: string): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.toPayment,
    status: 303,
    headers: { location: url },
    body: html`<p><a href="${url}">${t.toPayment}</a></p>`,
  })
}
