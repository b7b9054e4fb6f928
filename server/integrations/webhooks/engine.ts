import { type Database, openDatabase } from '#platform/data/database.ts'
import { noRecipients } from '#platform/events/recipients-resolver.ts'
import type { FanOut } from '#platform/events/relay.ts'
import type { Signal } from '#platform/events/signal.ts'
import type { Log } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { type DispatcherOptions, openDispatcher } from './dispatcher/dispatcher.ts'
import { openFanOut } from './fan-out/fan-out.ts'
import { secretPurpose } from './secrets/webhook-secret.format.ts'
import { dispatcherConnections } from './shards/shard.sql.ts'

export { secretPurpose } from './secrets/webhook-secret.format.ts'

/** Settings of the webhook engine. */
export type WebhookSettings = {
  databaseUrl: string
  signInSecret: string
  formerSecrets?: readonly string[]
  webhookNetworks?: readonly string[]
  vendorPrefix?: string
}

/** The part of a worker that sends webhooks. */
export type WebhookEngine = { fanOut: FanOut; close(withinMs?: number): Promise<void> }

// the tables of due deliveries grow and shrink all the time: index plans suit every size
const plannerSettings = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'max_parallel_workers_per_gather=0',
  'plan_cache_mode=force_generic_plan',
]

/** Opens the database connections of a dispatcher. */
export function openDispatchDatabase(url: string, log: Pick<Log, 'warn'>): Promise<Database> {
  return openDatabase({
    url,
    poolSize: 4,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 10_000,
    applicationName: dispatcherConnections,
    settings: plannerSettings.map(setting => `-c ${setting}`).join(' '),
    onPoolError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  })
}

/**
 * Opens the fan-out for the relay and the dispatcher of this process. `recipients` decides who may receive events that not
 * all applications may see; the other options are for tests.
 */
export async function openWebhookEngine(
  config: WebhookSettings,
  database: Database,
  signal: Signal,
  log: Log,
  { recipients = noRecipients, ...others }: Partial<DispatcherOptions> = {},
): Promise<WebhookEngine> {
  const cipher = openCipher([config.signInSecret, ...(config.formerSecrets ?? [])])
  const dispatchDatabase = await openDispatchDatabase(config.databaseUrl, log)
  const dispatcher = openDispatcher({
    database: dispatchDatabase,
    log,
    recipients,
    reveal: sealed => cipher.reveal(secretPurpose, sealed),
    ...(config.vendorPrefix !== undefined && { headerPrefix: config.vendorPrefix }),
    ...others,
    web: { networks: config.webhookNetworks ?? [], ...others.web },
  })
  void signal.onDue(dispatcher.wake)
  signal.onReconnect(() => dispatcher.wake(undefined))
  const fanOut = openFanOut({
    database,
    recipients,
    onWritten(deliveries) {
      const otherApplications = dispatcher.offer(deliveries)
      if (otherApplications.length > 0) signal.due(otherApplications)
    },
  })
  return {
    fanOut,
    async close(withinMs) {
      await dispatcher.close(withinMs)
      await dispatchDatabase.close()
    },
  }
}
