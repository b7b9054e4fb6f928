import { join } from 'node:path'
import type { JobServices, MailServices } from './area.ts'
import { recipientsResolverOf } from './area-listeners.ts'
import { backgroundWork } from './background-work.ts'
import { type Config, requireDatabase } from './config.ts'
import { diskFolders } from './disk-folders.ts'
import { maintainDeliveryPartitions, openWebhookEngine, registerAttemptMetrics } from './integrations/jobs.ts'
import { type MetricsServer, openMetricsServer } from './metrics-server.ts'
import { openFiles } from './platform/adapters/files.ts'
import { openGateways } from './platform/adapters/gateway.ts'
import { openMail } from './platform/adapters/mail.ts'
import { openTaxOffice } from './platform/adapters/tax-office.ts'
import { openTimeStamps } from './platform/adapters/time-stamps.ts'
import { openTraceExport, registerTraceMetrics } from './platform/adapters/trace-export.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { deletionOfExpiredEvents } from './platform/events/housekeeping.ts'
import { openRelay, type Relay } from './platform/events/relay.ts'
import { openSignal, type Signal } from './platform/events/signal.ts'
import { housekeepingMs, type Job, notificationMs, untilChangeMs, untilIdle } from './platform/jobs/job.ts'
import { registerJobMetrics } from './platform/jobs/job-metrics.ts'
import { deleteOldRefusedMails } from './platform/jobs/mail-queue.sql.ts'
import {
  type Mailer,
  type MailKinds,
  repeatQueuedMails,
  sendQueuedMails,
} from './platform/jobs/mail-queue.ts'
import { runJobs } from './platform/jobs/run-jobs.ts'
import { type Log, openLog } from './platform/log.ts'
import { type Metrics, openMetrics } from './platform/metrics.ts'
import { openCipher } from './platform/security/cipher.ts'
import { openSeals } from './platform/security/seals.ts'
import { freeStartupMemory } from './platform/startup-memory.ts'
import { readServerTotals, registerProcessMetrics, registerServerTotals } from './server-metrics.ts'
import { printReady, untilShutdownSignal } from './shutdown.ts'

/** Outbox rows per batch: each batch costs some round trips and a commit, whatever its size. */
const relayBatch = 1_000
/** The pause between looks at the mail queue while something changes. */
const mailPollMs = 1_000

/** A running worker process. */
export type Worker = { close(): Promise<void> }

/**
 * Opens a worker: the relay with its fenced leases, the webhook dispatcher with its shards, and maintenance
 * jobs.
 */
export async function openWorker(config: Config & { databaseUrl: string }, log: Log): Promise<Worker> {
  const database = await openDatabase({
    url: config.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: config.connectTimeoutMs,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: config.lockTimeoutMs ?? 5_000,
    idleInTransactionTimeoutMs: 10_000,
    applicationName: 'patio worker',
    areNodesConnected: config.areNodesConnected,
    // the error object carries the whole client
    onPoolError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  })
  const signal = await openSignal({ url: config.databaseUrl, nats: config.nats, log })
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  const metrics = config.metrics && openMetrics()
  const countRun = metrics && registerJobMetrics(metrics)
  const traces =
    config.traces &&
    (await openTraceExport(config.traces, {
      service: 'patio-worker',
      log,
      count: metrics ? registerTraceMetrics(metrics) : () => {},
    }))
  // creates partitions before anything is written into them
  await maintainDeliveryPartitions(database, log)
  const webhooks = await openWebhookEngine(config, database, signal, log, {
    recipients: recipientsResolverOf(backgroundWork),
    onRecorded: metrics && registerAttemptMetrics(metrics),
    traces,
  })
  const relay = openRelay({ database, signal, log, batchSize: relayBatch, fanOut: webhooks.fanOut })
  const metricsServer = metrics && openWorkerMetrics(config, metrics, { database, signal, relay, log })
  const gateways = openGateways(database, config.publicUrl, config.stripe)
  const cipher = openCipher([config.signInSecret, ...(config.formerSecrets ?? [])])
  const { publicUrl, timeStampUrl, maxFileBytes } = config
  const mail = openMail(config.smtpUrl, join(config.dataDir, 'mail'), config.mailFrom)
  const office = config.taxRecords?.office
  const taxOffice = office === undefined ? undefined : openTaxOffice(office)
  const services: JobServices = {
    database,
    wakeUp: signal,
    files,
    gateways,
    cipher,
    log,
    publicUrl,
    maxFileBytes,
    seals: openSeals(config.sessionKeys.map(({ secret }) => secret)),
    timeStampUrl,
    timeStamps: timeStampUrl === undefined ? undefined : openTimeStamps(timeStampUrl),
    taxOffice,
  }
  const jobs = runJobs(
    [
      ...mailJobs({ database, mail, log, publicUrl, services: { files, cipher, publicUrl } }),
      deletionOfExpiredEvents(database),
      ...backgroundWork.flatMap(work => work.jobs(services)),
    ],
    { database, log, traces, countRun, signal },
  )
  return {
    async close() {
      const jobsEnded = jobs.close()
      await relay.close()
      await webhooks.close(config.drainSeconds * 1000)
      await signal.close()
      await jobsEnded
      files.close()
      gateways.close()
      await taxOffice?.close()
      await mail.close()
      await traces?.close()
      await metricsServer?.close()
      await database.close()
    },
  }
}

/** Serves the metrics of a worker, which include those of the whole server while it holds the first lease of the relay. */
function openWorkerMetrics(
  config: Config,
  metrics: Metrics,
  { database, signal, relay, log }: { database: Database; signal: Signal; relay: Relay; log: Log },
): MetricsServer {
  registerProcessMetrics(metrics, { database, signal, folders: diskFolders(config) })
  registerServerTotals(
    metrics,
    backgroundWork.flatMap(({ totals }) => totals ?? []),
    totals => readServerTotals(database, log, totals),
    relay.isHolder,
  )
  return openMetricsServer(metrics, { ...config.metrics!, log })
}

/** Every kind of mail that is sent after its commit. */
const mailKinds: MailKinds<MailServices> = new Map(
  backgroundWork.flatMap(work => work.mailKinds ?? []).map(kind => [kind.name, kind]),
)

function mailJobs(mailer: Mailer<MailServices>): Job[] {
  return [
    {
      name: 'send mails',
      everyMs: mailPollMs,
      idleMs: untilChangeMs,
      run: isClosing => untilIdle(isClosing, () => sendQueuedMails(mailer, mailKinds)),
    },
    {
      name: 'repeat mails',
      everyMs: notificationMs,
      run: isClosing => untilIdle(isClosing, () => repeatQueuedMails(mailer, mailKinds)),
    },
    {
      name: 'delete refused mails',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      run: () => deleteOldRefusedMails(mailer.database),
    },
  ]
}

/** Runs a worker process until it is stopped. */
export async function runWorker(config: Config): Promise<number> {
  const log = openLog(config.logLevel, 'worker')
  const worker = await openWorker(requireDatabase(config), log)
  log.info('at work')
  printReady()
  freeStartupMemory()
  await untilShutdownSignal(log, config.drainSeconds)
  await worker.close()
  return 0
}
