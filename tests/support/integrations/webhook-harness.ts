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
import { openReceiver, type WebhookReceiver } from './receiver.ts'
import {
  insertEndpoint,
  insertHome,
  insertNewDeliveries,
  isWaiting,
  type Sql,
  signInSecret,
  type TestEndpoint,
} from './webhooks.ts'

/** A database, a receiver and any number of dispatchers. */
export type WebhookHarness = {
  readonly url: string
  readonly sql: Sql
  readonly receiver: WebhookReceiver
  /** The log as text. */
  logged(): string
  dispatcher(options?: Partial<DispatcherOptions>): Promise<Dispatcher>
  /** An application of the stage's organization whose webhook is a path of the receiver. */
  endpoint(path: string, options?: Partial<Parameters<typeof insertEndpoint>[2]>): Promise<TestEndpoint>
  due(to: TestEndpoint, count?: number): Promise<string[]>
  /** Resolves when no delivery is due. */
  drained(withinMs?: number): Promise<void>
  close(): Promise<void>
}

export const loopback = ['127.0.0.0/8', '::1/128']

export async function openWebhookHarness(): Promise<WebhookHarness> {
  const testDatabase = await freshDatabase()
  const pool = new pg.Pool({ connectionString: testDatabase.url, max: 3 })
  pool.on('error', () => {})
  const receiver = await openReceiver()
  const sql: Sql = async (text, values) => (await pool.query(text, values)).rows as never
  const organization = await insertHome(sql)
  const lines: string[] = []
  const log = openLog('debug', 'test', { write: line => void lines.push(line) })
  const cipher = openCipher([signInSecret])
  const closings: ((withinMs?: number) => Promise<void>)[] = []
  return {
    url: testDatabase.url,
    sql,
    receiver,
    logged: () => lines.join(''),
    async dispatcher(options = {}) {
      const database = await openDispatchDatabase(testDatabase.url, log)
      const { web, ...others } = options
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
    endpoint: (path, options = {}) =>
      insertEndpoint(sql, organization, { url: `${receiver.url}${path}`, ...options }),
    due: (to, count = 1) => insertNewDeliveries(sql, to, count),
    async drained(withinMs?: number) {
      await until('nothing is due', async () => !(await isWaiting(sql)), withinMs)
    },
    async close() {
      // does not wait for endpoints that hang
      await Promise.all(closings.map(close => close(1_000)))
      await receiver.close()
      await pool.end()
      await testDatabase.drop()
    },
  }
}
