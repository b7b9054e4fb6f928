import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { findInvoice, lockInvoiceIfPresent } from '../../invoices/invoice.access.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { findLinkByToken, type ValidLink } from '../../links/payment-link.sql.ts'

/** The invoice of a link. Refuses PAYMENT_LINK_NOT_VALID for any invalid link, without saying why. */
export async function invoiceByLink(
  database: Database,
  token: string,
): Promise<{ link: ValidLink; invoice: InvoiceRow }> {
  const link = (await findLinkByToken(database, token)) ?? fail('PAYMENT_LINK_NOT_VALID')
  const invoice = await findInvoice(database.of(link.organizationId), link.invoice_id)
  return { link, invoice: invoice ?? fail('PAYMENT_LINK_NOT_VALID') }
}

/** The same with the invoice locked until the transaction ends. */
export async function lockByLink(tx: Tx, { invoice_id }: ValidLink): Promise<InvoiceRow> {
  return (await lockInvoiceIfPresent(tx, invoice_id)) ?? fail('PAYMENT_LINK_NOT_VALID')
}
