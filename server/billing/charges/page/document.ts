import { openPayDocument } from '#contract/billing/pay-page.ts'
import { sendPdf } from '#platform/http/html-page.ts'
import { streams } from '#platform/http/operation.ts'
import { fileNameOf, printInvoice } from '../../invoices/print.ts'
import { invoiceByLink } from './payment-page.access.ts'

/** The invoice of a link on paper. */
export const openDocument = streams(openPayDocument, async ({ params: { token }, world, reply }) => {
  const { link, invoice } = await invoiceByLink(world.database, token)
  const bytes = await printInvoice(world.database.of(link.organizationId), invoice)
  return sendPdf(reply, bytes, fileNameOf(invoice))
})
