import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { queueMail } from '#platform/jobs/mail-queue.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { lockInvoiceIfPresent } from '../invoices/invoice.access.ts'
import { announceInvoice } from '../invoices/invoice.events.ts'
import { addMailLink } from '../links/mail-link.ts'
import { addressBookOf } from '../sending/address-book.ts'
import { type DueReminder, findDueRule, insertReminder, listDueReminders } from './reminder.sql.ts'
import { reminderLinkPurpose, reminderMail } from './reminder-mail.ts'

const batchSize = 100
/** No person caused the reminder. */
const systemActor = { personId: '' }

/**
 * Queues the reminders that are due, each once for its invoice and rule, however many workers run. Returns how many invoices it
 * processed.
 */
export async function queueDueReminders(database: Database, cipher: Cipher): Promise<number> {
  const due = await listDueReminders(database, batchSize)
  const failures: unknown[] = []
  // an invoice that cannot be locked now does not delay the others
  for (const each of due) await queueReminder(database, cipher, each).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return due.length
}

async function queueReminder(
  database: Database,
  cipher: Cipher,
  { organization_id, invoice_id: invoiceId }: DueReminder,
): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      const invoice = await lockInvoiceIfPresent(tx, invoiceId)
      // another worker, or a payment, may have been faster
      const days = invoice ? await findDueRule(tx, invoiceId) : null
      if (!invoice || days === null) return
      const { defaultAddress } = await addressBookOf(tx, cipher, invoice, [])
      const hasRecipient = defaultAddress !== null
      await insertReminder(tx, { invoiceId, days, hasRecipient })
      announceInvoice(tx, systemActor, invoiceId)
      if (!hasRecipient) return
      const token = await addMailLink(tx, invoiceId)
      const encrypted = cipher.hide(reminderLinkPurpose, token, `${organization_id}/${invoiceId}`)
      await queueMail(tx, reminderMail, { invoiceId, days, token: encrypted })
    },
    recordEvents,
  )
}
