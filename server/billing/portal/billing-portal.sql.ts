import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { type InvoiceRow, invoiceColumns } from '../invoices/invoice.row.ts'

const issuedTo = `from invoice i
  join crm_client c on c.organization_id = $organization and c.id = i.client_id
  join organization o on o.id = $organization and ${hasModule('finance')}
  where i.organization_id = $organization and i.client_id = $clientId and i.lifecycle = 'ISSUED'`
// index invoice_of_client
const selectAll = sql<InvoiceRow, { clientId: string }>(`
  select ${invoiceColumns} ${issuedTo} order by i.created_at desc, i.id desc limit ${limits.portalInvoices}`)
const select = sql<InvoiceRow, { clientId: string; id: string }>(
  `select ${invoiceColumns} ${issuedTo} and i.id = $id`,
)

/** The issued invoices of a client, the newest first. */
export function invoicesIssuedTo(db: Db, clientId: string): Promise<InvoiceRow[]> {
  return db.rows(selectAll, { clientId })
}

export function invoiceIssuedTo(db: Db, clientId: string, id: string): Promise<InvoiceRow | undefined> {
  return db.first(select, { clientId, id })
}
