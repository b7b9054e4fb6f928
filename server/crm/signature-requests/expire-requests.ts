import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import { revokeLinks } from '../signing/settle-budget.ts'
import { type ExpiredRequest, expiredRequests, isRequestExpired } from './signature-request.sql.ts'

const batchSize = 100

/**
 * Stops requests with an expired link, by the clock of the database, and mails their senders: once each, however many workers
 * run. Returns how many it stopped.
 */
export async function stopExpiredRequests(database: Database): Promise<number> {
  const expired = await expiredRequests(database, batchSize)
  const failures: unknown[] = []
  // a budget that cannot be locked now does not delay the others
  for (const each of expired) await stopExpired(database, each).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return expired.length
}

async function stopExpired(
  database: Database,
  { organization_id, budget_id }: ExpiredRequest,
): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      await lockBudget(tx, budget_id)
      // the signer may have been replaced since
      if (!(await isRequestExpired(tx, budget_id))) return
      await revokeLinks(tx, budget_id, null, { status: 'STOPPED', stopReason: 'LINK_EXPIRED' })
      emit(tx, { personId: '' }, 'budget.changed', { ids: [budget_id] })
    },
    recordEvents,
  )
}
