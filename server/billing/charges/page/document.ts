import { openPayDocument } from '#contract/billing/pay-page.ts'
import { streams } from '#platform/serve.ts'
import { fileNameOf, printInvoice } from '../../invoices/print.ts'
import { invoiceByLink } from './access.ts'

/** The invoice of a link on paper. */
export const openDocument = streams(openPayDocument, async ({ params: { token }, world, reply }) => {
  const { link, invoice } = await invoiceByLink(world.database, token)
  const bytes = await printInvoice(world.database.of(link.organizationId), invoice)
  return reply
    .type('application/pdf')
    .headers({
      'content-disposition': `inline; filename="${fileNameOf(invoice)}"`,
      // a policy for pages keeps some browsers from showing it
      'content-security-policy': "frame-ancestors 'none'",
      'x-robots-tag': 'noindex, nofollow',
    })
    .send(bytes)
})
