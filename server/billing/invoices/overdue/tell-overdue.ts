import { recordEvents } from '#platform/audit.ts'
import type { Database } from '#platform/db/database.ts'
import { lockInvoiceById } from '../access.ts'
import { tellOfInvoice } from '../tell.ts'
import { findOverdue, markOverdueTold } from './store.ts'

const mostAtOnce = 100
/** Nobody did it: the day is over. */
const clock = { personId: '' }

/**
 * Tells applications which of their invoices became overdue, by the time of the database: once for each invoice, however many
 * workers look. Answers how many it looked at.
 */
export async function tellOverdue(database: Database): Promise<number> {
  const overdue = await findOverdue(database, mostAtOnce)
  for (const { organization_id: organizationId, id } of overdue) {
    await database.transact(
      organizationId,
      async tx => {
        const invoice = (await lockInvoiceById(tx, id))!
        if (!(await markOverdueTold(tx, id))) return
        await tellOfInvoice(tx, clock, invoice, 'INVOICE_OVERDUE', { dueDate: invoice.due_date! })
      },
      recordEvents,
    )
  }
  return overdue.length
}
