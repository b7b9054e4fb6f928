import { openPayDocument } from '#contract/billing/pay-page.ts'
import { sendPdf } from '#platform/page.ts'
import { streams } from '#platform/serve.ts'
import { fileNameOf, printInvoice } from '../../invoices/print.ts'
import { invoiceByLink } from './access.ts'

/** The invoice of a link on paper. */
export const openDocument = streams(openPayDocument, async ({ params: { token }, world, reply }) => {
  const { link, invoice } = await invoiceByLink(world.database, token)
  const bytes = await printInvoice(world.database.of(link.organizationId), invoice)
  return sendPdf(reply, bytes, fileNameOf(invoice))
})
