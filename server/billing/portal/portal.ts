import { listPortalInvoices, openPortalInvoice, type PortalInvoice } from '#contract/billing/portal.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, sendPdf, wantsHtml } from '#platform/http/html-page.ts'
import { query, type ServedOperation, stream } from '#platform/http/operation.ts'
import { customerFor } from '#server/crm/index.ts'
import { showSummary } from '../invoices/invoice.json.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { pdfFileName, renderInvoicePdf } from '../invoices/read-pdf.ts'
import { invoicesPage } from './billing-portal.html.ts'
import { invoiceIssuedTo, invoicesIssuedTo } from './billing-portal.sql.ts'

const list = query(listPortalInvoices, async ({ headers, services }) => {
  const customer = await customerFor(services, headers)
  const { db, client_id, receives_invoices } = customer
  const items = receives_invoices ? (await invoicesIssuedTo(db, client_id)).map(showInPortal) : []
  return wantsHtml(headers) ? invoicesPage(languageOf(headers), customer, items) : { items }
})

const pdf = stream(openPortalInvoice, async ({ params, headers, services, reply }) => {
  const { db, client_id, receives_invoices } = await customerFor(services, headers)
  const row = receives_invoices ? await invoiceIssuedTo(db, client_id, params.id) : undefined
  const invoice = row ?? fail('INVOICE_NOT_ACCESSIBLE')
  return sendPdf(reply, await renderInvoicePdf(db, invoice), pdfFileName(invoice))
})

/** The invoices in the customer portal. */
export const portalOperations: ServedOperation[] = [list, pdf]

function showInPortal(row: InvoiceRow): PortalInvoice {
  const { id, status, isOverdue, dueDate, currency, totalCents, dueCents } = showSummary(row)
  const issued = { number: row.number!, issueDate: row.issue_date! }
  return { id, ...issued, status, isOverdue, dueDate, currency, totalCents, dueCents }
}
