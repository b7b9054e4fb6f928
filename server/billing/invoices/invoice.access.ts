import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type InvoiceRow, invoiceColumns } from './invoice.row.ts'

const from = `from invoice i
  join crm_client c on c.organization_id = $1 and c.id = i.client_id
  where i.organization_id = $1 and i.id = $2`
const select = sql<InvoiceRow, [id: string]>(`select ${invoiceColumns} ${from}`)
const lock = sql<InvoiceRow, [id: string]>(`select ${invoiceColumns} ${from} for no key update of i`)

/**
 * An invoice for who asks: a person of its organization, or the application that it is of, for the user that it names.
 * Refuses INVOICE_NOT_ACCESSIBLE, the same for one that is not there (BIL-4).
 */
export async function invoiceFor(db: Db, caller: Caller, id: string, userId?: string): Promise<InvoiceRow> {
  return assertAccessible(await db.first(select, id), caller, userId)
}

/** The same for work that no caller asked for, or for who has its link. Undefined when there is none. */
export function findInvoice(db: Db, id: string): Promise<InvoiceRow | undefined> {
  return db.first(select, id)
}

/**
 * An invoice for who asks; nobody else changes it, its payments, charges or refunds until the transaction ends: it is
 * always locked before them.
 */
export async function lockInvoice(tx: Tx, caller: Caller, id: string, userId?: string): Promise<InvoiceRow> {
  return assertAccessible(await tx.first(lock, id), caller, userId)
}

/** The same for work that no caller asked for, such as what the gateway tells. */
export function lockInvoiceById(tx: Tx, id: string): Promise<InvoiceRow | undefined> {
  return tx.first(lock, id)
}

function assertAccessible(invoice: InvoiceRow | undefined, caller: Caller, userId?: string): InvoiceRow {
  if (!invoice) fail('INVOICE_NOT_ACCESSIBLE')
  if (caller.applicationId === null) return invoice
  const isOwn = invoice.application_id === caller.applicationId
  if (!isOwn || (userId !== undefined && invoice.external_user_id !== userId)) fail('INVOICE_NOT_ACCESSIBLE')
  return invoice
}
