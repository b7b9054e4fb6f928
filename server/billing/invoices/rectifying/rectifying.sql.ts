import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type RectifyingRow = { id: string; number: string | null; status: InvoiceStatus; total_cents: number }

// index invoice_rectified
const select = sql<RectifyingRow, { rectified: string }>(`
  select i.id, i.number, i.status, i.total_cents from invoice i
  where i.organization_id = $organization and i.rectifies_invoice_id = $rectified
  order by i.created_at, i.id limit ${limits.rectifyingShown}`)

// index invoice_rectified
const any = sql<{ id: string }, { rectified: string }>(`
  select i.id from invoice i
  where i.organization_id = $organization and i.rectifies_invoice_id = $rectified and i.lifecycle = 'ISSUED'
    limit 1`)

/** Whether an issued invoice rectifies this one, by any amount. */
export async function hasIssuedRectification(db: Db, id: string): Promise<boolean> {
  return (await db.first(any, { rectified: id })) !== undefined
}

/** The invoices that rectify this one, the oldest first. */
export function listRectifying(db: Db, id: string): Promise<RectifyingRow[]> {
  return db.rows(select, { rectified: id })
}
