import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { queueMail } from '#platform/jobs/mail-queue.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import { linkMailOf, signingLinkMail } from './send.ts'
import { lockLink } from './signing-link.access.ts'
import { setToken } from './signing-link.sql.ts'
import { digestOf, newToken } from './signing-link.token.ts'
import { addReminder, type DueLink, isReminderDue, listDueLinks } from './signing-reminder.sql.ts'

const batchSize = 100

/**
 * Queues the reminders of signing links that are due (LNKS-30), each once, however many workers run. Returns how many links it
 * processed.
 */
export async function queueDueSigningReminders(database: Database, cipher: Cipher): Promise<number> {
  const due = await listDueLinks(database, batchSize)
  const failures: unknown[] = []
  // a budget that cannot be locked now does not delay the others
  for (const each of due) await queueReminder(database, cipher, each).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return due.length
}

async function queueReminder(
  database: Database,
  cipher: Cipher,
  { organization_id, budget_id: budgetId, id: linkId }: DueLink,
): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      await lockBudget(tx, budgetId)
      await lockLink(tx, budgetId, linkId)
      // the signer, or another worker, may have been faster
      if (!(await isReminderDue(tx, linkId))) return
      const token = newToken(organization_id)
      await setToken(tx, linkId, digestOf(token))
      await addReminder(tx, linkId)
      const mail = linkMailOf(tx, cipher, { budgetId, linkId, token, actorId: null })
      await queueMail(tx, signingLinkMail, { ...mail, isReminder: true })
      emit(tx, { personId: '' }, 'budget.changed', { ids: [budgetId] })
    },
    recordEvents,
  )
}
