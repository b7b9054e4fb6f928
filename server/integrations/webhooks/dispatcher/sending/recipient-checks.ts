import { setTimeout as sleep } from 'node:timers/promises'
import { openBatches } from '#platform/batches.ts'
import type { Database } from '#platform/data/database.ts'
import type { RecipientCheck, RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import type { Log } from '#platform/log.ts'

/**
 * Checks right before each attempt whether the delivery may be sent. One query serves all attempts that start while
 * another query runs. Undefined, after a pause, if the database did not answer. Never rejects.
 */
export type RecipientChecker = (check: RecipientCheck) => Promise<boolean | undefined>

export type RecipientCheckerOptions = {
  database: Database
  recipients: RecipientsResolver
  log: Pick<Log, 'warn'>
}

const maxBatch = 1_000
/** Far more than the attempts that a dispatcher starts at the same time, each of which has one check. */
const maxPending = 100_000
const retryAfterErrorMs = 250

export function openRecipientChecker({
  database,
  recipients,
  log,
}: RecipientCheckerOptions): RecipientChecker {
  async function ask(checks: readonly RecipientCheck[]): Promise<readonly (boolean | undefined)[]> {
    try {
      return await recipients.mayReceive(database.crossTenant, checks)
    } catch (error) {
      log.warn({ err: error }, 'could not check who may receive webhook deliveries')
      await sleep(retryAfterErrorMs)
      return checks.map(() => undefined)
    }
  }

  const batches = openBatches({ handle: ask, maxBatch, maxPending })
  return check => batches.add(check)
}
