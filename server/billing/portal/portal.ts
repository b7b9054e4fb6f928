import {
  listPortalInvoices,
  openPortalEInvoice,
  openPortalInvoice,
  type PortalInvoice,
  payPortalInvoice,
} from '#contract/billing/portal.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, sendPdf, wantsHtml } from '#platform/http/html-page.ts'
import { query, type ServedOperation, stream, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { type ClientRow, clientFor, customerFor } from '#server/crm/index.ts'
import { type AccountRow, findAccount } from '../gateway/account/gateway-account.sql.ts'
import { formatsOf, sendEInvoice } from '../invoices/e-invoices/read-e-invoice.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { showSummary } from '../invoices/invoice.json.ts'
import { type InvoiceRow, issuedInvoice } from '../invoices/invoice.row.ts'
import { dueOf, statusOf } from '../invoices/invoice.rules.ts'
import { pdfFileName, renderInvoicePdf } from '../invoices/read-pdf.ts'
import { insertLinkForAction } from '../links/payment-link.sql.ts'
import { linkUrl, newLinkToken } from '../links/payment-link.token.ts'
import { invoicesPage, paymentRedirectPage } from './billing-portal.html.ts'
import { invoiceIssuedTo, invoicesIssuedTo } from './billing-portal.sql.ts'

const list = query(listPortalInvoices, async ({ headers, services }) => {
  const customer = await customerFor(services, headers)
  const { db, client_id, receives_invoices } = customer
  const [account, client, invoices] = await Promise.all([
    findAccount(db),
    clientFor(db, client_id),
    receives_invoices ? invoicesIssuedTo(db, client_id) : [],
  ])
  const items = invoices.map(invoice => showInPortal(invoice, client, account))
  return wantsHtml(headers) ? invoicesPage(languageOf(headers), customer, items) : { items }
})

const pdf = stream(openPortalInvoice, async ({ params, headers, services, reply }) => {
  const { db, client_id, receives_invoices } = await customerFor(services, headers)
  const row = receives_invoices ? await invoiceIssuedTo(db, client_id, params.id) : undefined
  const invoice = row ?? fail('INVOICE_NOT_ACCESSIBLE')
  return sendPdf(reply, await renderInvoicePdf(services.files, db, invoice), pdfFileName(invoice))
})

const eInvoice = stream(openPortalEInvoice, async ({ params, query, headers, services, reply }) => {
  const { db, client_id, receives_invoices } = await customerFor(services, headers)
  const row = receives_invoices ? await invoiceIssuedTo(db, client_id, params.id) : undefined
  return sendEInvoice(reply, db, row ?? fail('INVOICE_NOT_ACCESSIBLE'), query.format)
})

/** A link of its own, because the public link of the invoice must stay valid for those who have it (PRT-13). */
const pay = workflow(payPortalInvoice, async ({ params, headers, services, transact }) => {
  const { db, client_id, contact_id, receives_invoices } = await customerFor(services, headers)
  const row = receives_invoices ? await invoiceIssuedTo(db, client_id, params.id) : undefined
  const { id: invoiceId } = row ?? fail('INVOICE_NOT_ACCESSIBLE')
  const account = await findAccount(db)
  const token = newLinkToken(db.organizationId)
  await transact(
    async tx => {
      const invoice = await lockInvoiceById(tx, invoiceId)
      if (!isPayable(invoice, account)) fail('INVOICE_STATE_INVALID')
      await insertLinkForAction(tx, { id: newId(), invoiceId, attemptId: null, token })
    },
    { subject: invoiceId, changed: ['links'], detail: { contactId: contact_id } },
    db.organizationId,
  )
  const url = linkUrl(services, token)
  return wantsHtml(headers) ? paymentRedirectPage(languageOf(headers), url) : { url }
})

/** The invoices in the customer portal. */
export const portalOperations: ServedOperation[] = [list, pdf, eInvoice, pay]

/** Whether the payment page of an invoice offers a card. */
function isPayable(invoice: InvoiceRow, account: AccountRow | undefined): boolean {
  const isDue = invoice.lifecycle === 'ISSUED' && statusOf(invoice) !== 'RECTIFIED' && dueOf(invoice) > 0
  return isDue && account?.status === 'READY' && account.currencies.includes(invoice.currency)
}

function showInPortal(row: InvoiceRow, client: ClientRow, account: AccountRow | undefined): PortalInvoice {
  const { id, status, isOverdue, dueDate, currency, totalCents, dueCents } = showSummary(row)
  const { number, issue_date: issueDate } = issuedInvoice(row)
  return {
    id,
    number,
    issueDate,
    status,
    isOverdue,
    dueDate,
    currency,
    totalCents,
    dueCents,
    isPayable: isPayable(row, account),
    formats: formatsOf(row, client),
  }
}
