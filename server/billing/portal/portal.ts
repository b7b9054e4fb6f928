import { listPortalInvoices, openPortalInvoice, type PortalInvoice } from '#contract/billing/portal.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, sendPdf, wantsPage } from '#platform/http/html-page.ts'
import { reads, type Served, streams } from '#platform/http/operation.ts'
import { customerFor } from '#server/crm/index.ts'
import { showSummary } from '../invoices/invoice.json.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { fileNameOf, printInvoice } from '../invoices/print.ts'
import { invoicesPage } from './billing-portal.html.ts'
import { invoiceIssuedTo, invoicesIssuedTo } from './billing-portal.sql.ts'

const list = reads(listPortalInvoices, async ({ headers, world }) => {
  const customer = await customerFor(world, headers)
  const { db, client_id, receives_invoices } = customer
  const items = receives_invoices ? (await invoicesIssuedTo(db, client_id)).map(showInPortal) : []
  return wantsPage(headers) ? invoicesPage(languageOf(headers), customer, items) : { items }
})

const pdf = streams(openPortalInvoice, async ({ params, headers, world, reply }) => {
  const { db, client_id, receives_invoices } = await customerFor(world, headers)
  const found = receives_invoices ? await invoiceIssuedTo(db, client_id, params.id) : undefined
  const invoice = found ?? fail('INVOICE_NOT_ACCESSIBLE')
  return sendPdf(reply, await printInvoice(db, invoice), fileNameOf(invoice))
})

/** What customers see of their invoices in the portal. */
export const portalOperations: Served[] = [list, pdf]

function showInPortal(row: InvoiceRow): PortalInvoice {
  const { id, status, isOverdue, dueDate, currency, totalCents, dueCents } = showSummary(row)
  const issued = { number: row.number!, issueDate: row.issue_date! }
  return { id, ...issued, status, isOverdue, dueDate, currency, totalCents, dueCents }
}
