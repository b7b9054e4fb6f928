import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { lockInvoiceById } from '../invoice.access.ts'
import { tellOfInvoice } from '../invoice.events.ts'
import { findOverdue, markOverdueTold, type OverdueInvoice } from './overdue.sql.ts'

const mostAtOnce = 100
/** Nobody did it: the day is over. */
const clock = { personId: '' }

/**
 * Tells applications which of their invoices became overdue, by the time of the database: once for each invoice, however many
 * workers look. Answers how many it looked at.
 */
export async function tellOverdue(database: Database): Promise<number> {
  const overdue = await findOverdue(database, mostAtOnce)
  const failures: unknown[] = []
  // one that cannot be locked now does not keep the others waiting
  for (const each of overdue) await tell(database, each).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return overdue.length
}

async function tell(database: Database, { organization_id, id }: OverdueInvoice): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      const invoice = await lockInvoiceById(tx, id)
      if (!invoice || !(await markOverdueTold(tx, id))) return
      await tellOfInvoice(tx, clock, invoice, 'INVOICE_OVERDUE', { dueDate: invoice.due_date! })
    },
    recordEvents,
  )
}
