import { makeInvoicePdfAddress, openInvoicePdf } from '#contract/billing/invoices.ts'
import type { Operation } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { query, stream } from '#platform/http/operation.ts'
import { documentAddress, openerOf } from '#server/identity/index.ts'
import { findInvoice, invoiceFor } from './invoice.access.ts'
import { sendInvoicePdf } from './read-pdf.ts'

const kind = 'invoice'

export const makePdfAddress = query(makeInvoicePdfAddress, async ({ db, caller, params, services }) => {
  const { id, updated_at: version } = await invoiceFor(db, caller, params.id)
  return documentAddress(services, caller, { kind, id, version }, openInvoicePdf)
})

/** Opens the PDF for the person who made the address (ADDR-2, ADDR-3). */
export const openPdf = stream(openInvoicePdf, async ({ params, query, services, reply }) => {
  const document = { kind, id: params.id }
  const { organizationId } = await openerOf(services, document, query, makeInvoicePdfAddress as Operation)
  const db = services.database.of(organizationId)
  const invoice = await findInvoice(db, params.id)
  if (invoice?.updated_at !== query.version) fail('DOCUMENT_ADDRESS_INVALID')
  return sendInvoicePdf(reply, services.files, db, invoice)
})
