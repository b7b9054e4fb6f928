import type { PortalInvoice } from '#contract/billing/portal.ts'
import { type HtmlPage, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import { portalPage } from '#server/crm/index.ts'

const es = {
  title: 'Facturas',
  none: 'Todavía no hay ninguna.',
  number: 'Número',
  date: 'Fecha',
  dueDate: 'Vencimiento',
  total: 'Total',
  status: 'Estado',
  paid: 'Pagada',
  rectified: 'Rectificada: no hay nada que pagar',
  due: (sum: string) => `Pendiente: ${sum}`,
  overdue: (sum: string) => `Vencida: ${sum}`,
}
const en: typeof es = {
  title: 'Invoices',
  none: 'There are no invoices yet.',
  number: 'Number',
  date: 'Date',
  dueDate: 'Due on',
  total: 'Total',
  status: 'Status',
  paid: 'Paid',
  rectified: 'Rectified: nothing is due',
  due: sum => `Amount due: ${sum}`,
  overdue: sum => `Overdue: ${sum}`,
}
const texts: Record<Language, typeof es> = { es, en }

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
  const rows = invoices.map(
    invoice => html`<tr>
<td><a href="/portal/invoices/${invoice.id}/pdf" target="_blank" rel="noopener">${invoice.number}</a></td>
<td>${day(invoice.issueDate)}</td>
<td>${invoice.dueDate && day(invoice.dueDate)}</td>
<td class="figure">${moneyIn(invoice.currency)(invoice.totalCents)}</td>
<td>${stateOf(invoice)}</td>
</tr>`,
  )
  const table = html`<div class="wide"><table>
<tr><th>${t.number}</th><th>${t.date}</th><th>${t.dueDate}</th><th class="figure">${t.total}</th><th>${t.status}</th></tr>
${rows}
</table></div>`
  const body = rows.length === 0 ? html`<p>${t.none}</p>` : table
  return portalPage(language, customer, { title: t.title, body })
}
