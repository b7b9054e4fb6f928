import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { required } from '#platform/required.ts'
import { lockInvoiceIfPresent } from '../invoice.access.ts'
import { emitInvoiceEvent } from '../invoice.events.ts'
import { findOverdue, markOverdueNotified, type OverdueInvoice } from './overdue.sql.ts'

const batchSize = 100
/** No person caused the event. */
const systemActor = { personId: '' }

/**
 * Emits INVOICE_OVERDUE, by the clock of the database: once for each invoice, however many workers run. Returns how
 * many invoices it processed.
 */
export async function emitOverdueInvoices(database: Database): Promise<number> {
  const overdue = await findOverdue(database, batchSize)
  const failures: unknown[] = []
  // an invoice that cannot be locked now does not delay the others
  for (const each of overdue) await emitOverdue(database, each).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return overdue.length
}

async function emitOverdue(database: Database, { organization_id, id }: OverdueInvoice): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      const invoice = await lockInvoiceIfPresent(tx, id)
      if (!invoice || !(await markOverdueNotified(tx, id))) return
      await emitInvoiceEvent(tx, systemActor, invoice, 'INVOICE_OVERDUE', {
        dueDate: required(invoice.due_date, 'the due date of an overdue invoice'),
      })
    },
    recordEvents,
  )
}
