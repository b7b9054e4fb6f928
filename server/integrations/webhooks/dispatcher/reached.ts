import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/data/database.ts'
import type { RecipientCheck, RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import type { Log } from '#platform/log.ts'

/**
 * Whether a notice may be sent now, asked right before each attempt. One query answers for all attempts that begin
 * together or while another one is being asked. Undefined, after a rest: the database did not answer. Never rejects.
 */
export type Reached = (telling: RecipientCheck) => Promise<boolean | undefined>

export type ReachedOptions = { database: Database; reach: RecipientsResolver; log: Pick<Log, 'warn'> }

const most = 1_000
const troubleMs = 250

export function openReached({ database, reach, log }: ReachedOptions): Reached {
  const waiting: { telling: RecipientCheck; answer(may: boolean | undefined): void }[] = []
  let isAsking = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      const answers = await ask(batch.map(({ telling }) => telling))
      for (const [at, { answer }] of batch.entries()) answer(answers?.[at])
    }
    isAsking = false
  }
  async function ask(tellings: readonly RecipientCheck[]): Promise<readonly boolean[] | undefined> {
    try {
      return await reach.mayBeTold(database.wide, tellings)
    } catch (error) {
      log.warn({ err: error }, 'who may be told could not be asked')
      await sleep(troubleMs)
      return undefined
    }
  }

  return telling =>
    new Promise(answer => {
      waiting.push({ telling, answer })
      if (isAsking) return
      isAsking = true
      setImmediate(() => void run())
    })
}
