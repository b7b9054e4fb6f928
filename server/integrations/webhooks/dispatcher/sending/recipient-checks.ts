import { setTimeout as sleep } from 'node:timers/promises'
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
const retryAfterErrorMs = 250

export function openRecipientChecker({
  database,
  recipients,
  log,
}: RecipientCheckerOptions): RecipientChecker {
  const waiting: { check: RecipientCheck; answer(may: boolean | undefined): void }[] = []
  let isRunning = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      const answers = await ask(batch.map(({ check }) => check))
      for (const [at, { answer }] of batch.entries()) answer(answers?.[at])
    }
    isRunning = false
  }
  async function ask(checks: readonly RecipientCheck[]): Promise<readonly boolean[] | undefined> {
    try {
      return await recipients.mayReceive(database.crossTenant, checks)
    } catch (error) {
      log.warn({ err: error }, 'could not check who may receive webhook deliveries')
      await sleep(retryAfterErrorMs)
      return undefined
    }
  }

  return check =>
    new Promise(answer => {
      waiting.push({ check, answer })
      if (isRunning) return
      isRunning = true
      setImmediate(() => void run())
    })
}
