import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type InvoiceRow, invoiceColumns } from './invoice.row.ts'

const ofOrganization = `from invoice i
  join crm_client c on c.organization_id = $organization and c.id = i.client_id
  where i.organization_id = $organization`
const from = `${ofOrganization} and i.id = $id`
const select = sql<InvoiceRow, { id: string }>(`select ${invoiceColumns} ${from}`)
const lock = sql<InvoiceRow, { id: string }>(`select ${invoiceColumns} ${from} for no key update of i`)
// primary key; the order is that of lockInvoices
const lockSeveral = sql<InvoiceRow, { ids: string[] }>(
  `select ${invoiceColumns} ${ofOrganization} and i.id = any($ids) order by i.id collate "C" for no key update of i`,
)

/**
 * An invoice for a caller: a member of its organization, or its application on behalf of the named user. Refuses
 * INVOICE_NOT_ACCESSIBLE, also when the invoice does not exist (BIL-4).
 */
export async function invoiceFor(db: Db, caller: Caller, id: string, userId?: string): Promise<InvoiceRow> {
  return assertAccessible(await db.first(select, { id }), caller, userId)
}

/** An invoice without a caller, or for the holder of its link. */
export function findInvoice(db: Db, id: string): Promise<InvoiceRow | undefined> {
  return db.first(select, { id })
}

/**
 * The same with a lock on the invoice, its payments, charges and refunds: every transaction locks the invoice
 * before them.
 */
export async function lockInvoice(tx: Tx, caller: Caller, id: string, userId?: string): Promise<InvoiceRow> {
  return assertAccessible(await tx.first(lock, { id }), caller, userId)
}

/**
 * The same for several invoices, which are locked in one order, so that two transactions cannot wait for each other. Returns
 * those that exist, by id.
 */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, InvoiceRow>> {
  const invoices = await tx.rows(lockSeveral, { ids: [...ids] })
  return new Map(invoices.map(invoice => [invoice.id, invoice]))
}

/** The same without a caller, for example for a gateway notice. */
export function lockInvoiceIfPresent(tx: Tx, id: string): Promise<InvoiceRow | undefined> {
  return tx.first(lock, { id })
}

/** The same for an invoice that exists, because a row refers to it. */
export function lockInvoiceById(tx: Tx, id: string): Promise<InvoiceRow> {
  return tx.one(lock, { id })
}

/** Refuses INVOICE_NOT_ACCESSIBLE for an invoice that does not exist or that is not the caller's. */
export function assertAccessible(
  invoice: InvoiceRow | undefined,
  caller: Caller,
  userId?: string,
): InvoiceRow {
  if (!invoice) fail('INVOICE_NOT_ACCESSIBLE')
  if (caller.applicationId === null) return invoice
  const isOwn = invoice.application_id === caller.applicationId
  if (!isOwn || (userId !== undefined && invoice.external_user_id !== userId)) fail('INVOICE_NOT_ACCESSIBLE')
  return invoice
}
