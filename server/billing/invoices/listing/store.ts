import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/db/database.ts'
import { narrowed } from '#platform/db/narrowed.ts'
import { type InvoiceRow, wholeInvoice } from '../row.ts'

/** Which invoices are listed; null: any. */
export type Narrowing = {
  status: InvoiceStatus | null
  clientId: string | null
  applicationId: string | null
  userId: string | null
}
type Listed = [
  ...[status: string | null, clientId: string | null, applicationId: string | null, userId: string | null],
]
const filters = ['i.status = $2', 'i.client_id = $3', 'i.application_id = $4', 'i.external_user_id = $5']
// index invoice_recent, invoice_status, invoice_of_client, invoice_of_application(_status) or invoice_of_user
const page = narrowed<InvoiceRow, [...Listed, limit: number, offset: number]>(
  filters,
  condition => `
    select ${wholeInvoice} from invoice i join crm_client c on c.organization_id = $1 and c.id = i.client_id
    where i.organization_id = $1 and ${condition}
    order by i.created_at desc, i.id desc limit $6 offset $7`,
)
const count = narrowed<{ total: number }, Listed>(
  filters,
  condition => `select count(*) as total from (
    select from invoice i where i.organization_id = $1 and ${condition} limit ${limits.invoicesCounted}) n`,
)

/** A page of invoices, the newest first, and how many there are. */
export async function listInvoices(
  db: Db,
  { status, clientId, applicationId, userId }: Narrowing,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const values: Listed = [status, clientId, applicationId, userId]
  const [rows, counted] = await Promise.all([
    db.rows(page(...values), ...values, limit, offset),
    db.first(count(...values), ...values),
  ])
  return { rows, total: counted!.total }
}
