import { openPayDocument } from '#contract/billing/pay-page.ts'
import { sendPdf } from '#platform/http/html-page.ts'
import { stream } from '#platform/http/operation.ts'
import { pdfFileName, renderInvoicePdf } from '../../invoices/read-pdf.ts'
import { invoiceByLink } from './payment-page.access.ts'

export const openDocument = stream(openPayDocument, async ({ params: { token }, services, reply }) => {
  const { link, invoice } = await invoiceByLink(services.database, token)
  const bytes = await renderInvoicePdf(services.files, services.database.of(link.organizationId), invoice)
  return sendPdf(reply, bytes, pdfFileName(invoice))
})
