import { openPayDocument } from '#contract/billing/pay-page.ts'
import { sendPdf } from '#platform/http/html-page.ts'
import { stream } from '#platform/http/operation.ts'
import { fileNameOf, printInvoice } from '../../invoices/print.ts'
import { invoiceByLink } from './payment-page.access.ts'

/** The invoice of a link on paper. */
export const openDocument = stream(openPayDocument, async ({ params: { token }, services, reply }) => {
  const { link, invoice } = await invoiceByLink(services.database, token)
  const bytes = await printInvoice(services.database.of(link.organizationId), invoice)
  return sendPdf(reply, bytes, fileNameOf(invoice))
})
