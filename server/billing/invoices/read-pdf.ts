import type { FastifyReply } from 'fastify'
import { readInvoicePdf } from '#contract/billing/invoices.ts'
import type { Files } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { stream } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { clientFor, issuerOf, letterheadOf, readLogo } from '#server/crm/index.ts'
import { findInvoice, invoiceFor } from './invoice.access.ts'
import { invoicePdf } from './invoice.pdf.ts'
import { type InvoiceRow, issuedInvoice } from './invoice.row.ts'
import { issuerParty, recipientParty } from './issuing/issuing.rules.ts'
import { listRectifying } from './rectifying/rectifying.sql.ts'

/**
 * The PDF of an invoice. An issued one shows the parties at the time of issue, a draft the current ones. `payUrl`: the page
 * where it is paid by card, for a PDF in a mail.
 */
export async function renderInvoicePdf(
  files: Files,
  db: Db,
  invoice: InvoiceRow,
  payUrl?: string,
): Promise<Buffer> {
  const { rectifies_invoice_id: rectifiedId } = invoice
  const [rectified, rectifying, parties] = await Promise.all([
    rectifiedId === null ? undefined : findInvoice(db, rectifiedId),
    invoice.rectified_cents === 0 ? [] : listRectifying(db, invoice.id),
    partiesOf(db, invoice),
  ])
  const logo = parties.letterhead?.logo && (await readLogo(files, parties.letterhead.logo))
  const issued = rectifying.filter(({ status }) => status !== 'DRAFT' && status !== 'VOIDED')
  return invoicePdf(invoice, {
    ...parties,
    ...(logo && { logo }),
    rectified: rectified ? issuedInvoice(rectified) : null,
    rectifying: issued.map(({ number }) => required(number, 'the number of an issued invoice')),
    ...(payUrl !== undefined && { payUrl }),
  })
}

async function partiesOf(db: Db, { issuer, recipient, letterhead, client_id }: InvoiceRow) {
  if (issuer && recipient) return { issuer, recipient, letterhead }
  const [known, client, current] = await Promise.all([
    issuerOf(db),
    clientFor(db, client_id),
    letterheadOf(db),
  ])
  return { issuer: known ? issuerParty(known) : null, recipient: recipientParty(client), letterhead: current }
}

export function pdfFileName({ number }: InvoiceRow): string {
  return `${number ?? 'borrador'}.pdf`
}

export const pdf = stream(readInvoicePdf, async ({ db, caller, params, query, services, reply }) =>
  sendInvoicePdf(reply, services.files, db, await invoiceFor(db, caller, params.id, query.userId)),
)

export async function sendInvoicePdf(
  reply: FastifyReply,
  files: Files,
  db: Db,
  invoice: InvoiceRow,
): Promise<FastifyReply> {
  const bytes = await renderInvoicePdf(files, db, invoice)
  return reply
    .type('application/pdf')
    .headers({
      'Content-Disposition': `inline; filename="${pdfFileName(invoice)}"`,
      'Cache-Control': 'private, no-store',
    })
    .send(bytes)
}
