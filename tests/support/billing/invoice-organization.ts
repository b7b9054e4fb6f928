import { only } from '../elements.ts'
import type { SqlRunner } from '../rows.ts'

/** The organization of an invoice. With it, Citus runs a statement with subselects, which it refuses for all organizations at once. */
export async function organizationOfInvoice(sql: SqlRunner['sql'], invoiceId: string): Promise<string> {
  const invoices = await sql<{ organization_id: string }>(
    'select organization_id from invoice where id = $1',
    [invoiceId],
  )
  return only(invoices).organization_id
}
