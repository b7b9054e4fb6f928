import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { isUnpaid } from '../unpaid.sql.ts'

export type OverdueInvoice = { organization_id: string; id: string }

const isOver = `i.due_date < (now() at time zone 'utc')::date`
// index invoice_overdue
const select = crossTenantSql<OverdueInvoice, { most: number }>(
  'the worker finds overdue invoices in all organizations',
  `select i.organization_id, i.id from invoice i
   where i.application_id is not null and i.overdue_notified_at is null and ${isUnpaid('i')} and ${isOver}
   order by i.due_date, i.organization_id, i.id limit $most`,
)
const mark = sql<never, { id: string }>(`
  update invoice i set overdue_notified_at = now()
  where i.organization_id = $organization and i.id = $id and i.overdue_notified_at is null
    and ${isUnpaid('i')} and ${isOver}`)

/** Overdue invoices of applications that have not been announced. */
export function findOverdue(database: Database, most: number): Promise<OverdueInvoice[]> {
  return database.crossTenant.rows(select, { most })
}

/** Marks a locked invoice as announced. False when it was announced before or is no longer overdue. */
export async function markOverdueNotified(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(mark, { id })) === 1
}
