import type { Database, Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { findInvoice, lockInvoiceById } from '../../invoices/invoice.access.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { linkByToken, type OpenedLink } from '../../links/payment-link.sql.ts'

/** The invoice that a token opens. Refuses PAYMENT_LINK_NOT_VALID, the same whatever is wrong with it. */
export async function invoiceByLink(
  database: Database,
  token: string,
): Promise<{ link: OpenedLink; invoice: InvoiceRow }> {
  const link = (await linkByToken(database, token)) ?? fail('PAYMENT_LINK_NOT_VALID')
  const invoice = await findInvoice(database.of(link.organizationId), link.invoice_id)
  return { link, invoice: invoice ?? fail('PAYMENT_LINK_NOT_VALID') }
}

/** The same for a payment: nobody else changes the invoice until the transaction ends. */
export async function lockByLink(tx: Tx, { invoice_id }: OpenedLink): Promise<InvoiceRow> {
  return (await lockInvoiceById(tx, invoice_id)) ?? fail('PAYMENT_LINK_NOT_VALID')
}
