import type { FastifyReply } from 'fastify'
import { readEInvoice } from '#contract/billing/invoices.ts'
import { type EInvoiceFormat, eInvoiceFormats } from '#contract/billing/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { type ClientRow, clientFor } from '#server/crm/index.ts'
import { findInvoice, invoiceFor } from '../invoice.access.ts'
import { type InvoiceRow, issuedInvoice } from '../invoice.row.ts'
import { assertIssued } from '../invoice.rules.ts'
import { recipientParty } from '../issuing/issuing.rules.ts'
import { completedRecipient, type EInvoice } from './e-invoice.rules.ts'
import { facturaeOf, facturaeProblems } from './facturae.ts'
import { ublOf, ublProblems } from './ubl.ts'

type Format = { problems: (invoice: EInvoice) => ErrorDetail[]; write: (invoice: EInvoice) => string }
const formats: Record<EInvoiceFormat, Format> = {
  UBL: { problems: ublProblems, write: ublOf },
  FACTURAE: { problems: facturaeProblems, write: facturaeOf },
}

export const readFile = stream(readEInvoice, async ({ db, caller, params, query, reply }) =>
  sendEInvoice(reply, db, await invoiceFor(db, caller, params.id, query.userId), query.format),
)

/** Sends an issued invoice in a format. Refuses INVOICE_STATE_INVALID and INVOICE_FORMAT_UNAVAILABLE. */
export async function sendEInvoice(
  reply: FastifyReply,
  db: Db,
  row: InvoiceRow,
  format: EInvoiceFormat,
): Promise<FastifyReply> {
  assertIssued(row)
  const { rectifies_invoice_id: rectifiedId } = row
  const [client, rectified] = await Promise.all([
    clientFor(db, row.client_id),
    rectifiedId === null ? undefined : findInvoice(db, rectifiedId),
  ])
  const invoice = eInvoiceOf(row, client, rectified)
  const { problems, write } = formats[format]
  const details = problems(invoice)
  if (details.length > 0) fail('INVOICE_FORMAT_UNAVAILABLE', { details })
  return reply
    .type('application/xml')
    .headers({
      'Content-Disposition': `attachment; filename="${invoice.number}-${format.toLowerCase()}.xml"`,
      'Cache-Control': 'private, no-store',
    })
    .send(write(invoice))
}

/** The formats that can represent an issued invoice. */
export function formatsOf(row: InvoiceRow, client: ClientRow): EInvoiceFormat[] {
  const invoice = eInvoiceOf(row, client)
  return eInvoiceFormats.filter(format => formats[format].problems(invoice).length === 0)
}

function eInvoiceOf(row: InvoiceRow, client: ClientRow, rectified?: InvoiceRow): EInvoice {
  const issued = issuedInvoice(row)
  return {
    ...issued,
    recipient: completedRecipient(issued.recipient, recipientParty(client)),
    rectified: rectified ? issuedInvoice(rectified) : null,
  }
}
