import pg from 'pg'
import { openLog } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import {
  type Dispatcher,
  type DispatcherOptions,
  openDispatcher,
} from '#server/integrations/webhooks/dispatcher/dispatcher.ts'
import { openDispatchDatabase, secretPurpose } from '#server/integrations/webhooks/engine.ts'
import { freshDatabase } from '../postgres.ts'
import { until } from '../processes.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import {
  isWaiting,
  type MadeEndpoint,
  makeDue,
  makeEndpoint,
  makeHome,
  type Sql,
  signInSecret,
} from './webhooks.ts'

/** A database, a receiver and as many dispatchers as a test wants. */
export type WebhookStage = {
  readonly url: string
  readonly sql: Sql
  readonly receiver: Receiver
  /** Everything that was logged, as text. */
  logged(): string
  dispatcher(given?: Partial<DispatcherOptions>): Promise<Dispatcher>
  /** An application of the stage's organization whose webhook is a path of the receiver. */
  endpoint(path: string, given?: Partial<Parameters<typeof makeEndpoint>[2]>): Promise<MadeEndpoint>
  due(to: MadeEndpoint, count?: number): Promise<string[]>
  /** Resolves when nothing is due any more. */
  drained(withinMs?: number): Promise<void>
  close(): Promise<void>
}

export const loopback = ['127.0.0.0/8', '::1/128']

export async function openWebhookStage(): Promise<WebhookStage> {
  const fresh = await freshDatabase()
  const pool = new pg.Pool({ connectionString: fresh.url, max: 3 })
  pool.on('error', () => {})
  const receiver = await openReceiver()
  const sql: Sql = async (text, values) => (await pool.query(text, values)).rows as never
  const home = await makeHome(sql)
  const lines: string[] = []
  const log = openLog('debug', 'test', { write: line => void lines.push(line) })
  const cipher = openCipher([signInSecret])
  const closings: ((withinMs?: number) => Promise<void>)[] = []
  return {
    url: fresh.url,
    sql,
    receiver,
    logged: () => lines.join(''),
    async dispatcher(given = {}) {
      const database = await openDispatchDatabase(fresh.url, log)
      const { web, ...others } = given
      const dispatcher = openDispatcher({
        database,
        log,
        reveal: sealed => cipher.reveal(secretPurpose, sealed),
        ...others,
        web: { networks: loopback, ...web },
      })
      let closed: Promise<void> | undefined
      const close = (withinMs?: number) => {
        closed ??= dispatcher.close(withinMs).then(() => database.close())
        return closed
      }
      closings.push(close)
      return { ...dispatcher, close }
    },
    endpoint: (path, given = {}) => makeEndpoint(sql, home, { url: `${receiver.url}${path}`, ...given }),
    due: (to, count = 1) => makeDue(sql, to, count),
    async drained(withinMs?: number) {
      await until('nothing is due', async () => !(await isWaiting(sql)), withinMs)
    },
    async close() {
      // nobody waits for endpoints that hang
      await Promise.all(closings.map(close => close(1_000)))
      await receiver.close()
      await pool.end()
      await fresh.drop()
    },
  }
}
