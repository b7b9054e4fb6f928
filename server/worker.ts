import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  billingMailKinds,
  emitOverdueInvoices,
  endLostDeliveries,
  openPollers,
  type PaymentContext,
  type Poller,
  pollGatewayAccounts,
  queueDueReminders,
  reconcileAccounts,
  sendDueRecords,
  type TaxRecordContext,
} from './billing/jobs.ts'
import { channelRecipientsResolver, deleteWaitingFiles, expireProposals } from './chat/jobs.ts'
import { type Config, requireDatabase } from './config.ts'
import {
  type BudgetMailServices,
  crmMailKinds,
  deleteExpiredPortalAccess,
  deleteOldImports,
  type ImportServices,
  queueDueSigningReminders,
  runNextImports,
  type SealServices,
  sealNextBudget,
  stampNextChain,
  stopExpiredRequests,
  type TimeStampServices,
  warnIfLeadClockAhead,
} from './crm/jobs.ts'
import { diskFolders } from './disk-folders.ts'
import { deleteOldErrors } from './error-reports/jobs.ts'
import { deleteExpired, deleteOldInboxMarks, identityMailKinds, removeOldTokens } from './identity/jobs.ts'
import {
  maintainDeliveryPartitions,
  openWebhookEngine,
  registerAttemptMetrics,
  scopeRequestMail,
  webhookMailKinds,
} from './integrations/jobs.ts'
import { endExpiredFeatures, forgetOldInstallers, updateRatingRanks } from './marketplace/jobs.ts'
import { type MetricsServer, openMetricsServer } from './metrics-server.ts'
import { type Files, openFiles } from './platform/adapters/files.ts'
import { openGateways } from './platform/adapters/gateway.ts'
import { openMail } from './platform/adapters/mail.ts'
import { openTaxOffice } from './platform/adapters/tax-office.ts'
import { openTimeStamps } from './platform/adapters/time-stamps.ts'
import { openTraceExport, registerTraceMetrics } from './platform/adapters/trace-export.ts'
import { monotonicMs } from './platform/clock.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { openRelay, type Relay } from './platform/events/relay.ts'
import { openSignal } from './platform/events/signal.ts'
import { registerJobMetrics } from './platform/jobs/job-metrics.ts'
import { openJobRunRecorder } from './platform/jobs/job-run.ts'
import { deleteOldRefusedMails } from './platform/jobs/mail-queue.sql.ts'
import {
  type Mailer,
  type MailKind,
  type MailKinds,
  repeatQueuedMails,
  sendQueuedMails,
} from './platform/jobs/mail-queue.ts'
import { type Log, openLog } from './platform/log.ts'
import { type Metrics, openMetrics } from './platform/metrics.ts'
import { type Cipher, openCipher } from './platform/security/cipher.ts'
import { openSeals } from './platform/security/seals.ts'
import { freeStartupMemory } from './platform/startup-memory.ts'
import { inTrace, type Traces } from './platform/traces.ts'
import { readServerTotals, registerProcessMetrics, registerServerTotals } from './server-metrics.ts'
import { printReady, untilShutdownSignal } from './shutdown.ts'
import { announceExpiredShares, purgeDeletedAssets, purgeExpiredShares, sweepFiles } from './studio/jobs.ts'

/** Outbox rows per batch: each batch costs some round trips and a commit, whatever its size. */
const relayBatch = 1_000
const maintenanceMs = 10 * 60_000
/** The interval of notifications that people wait for. */
const notificationMs = 5_000
/** The interval of seals, for which the mails about a signature wait. */
const sealPollMs = 1_000
/** The interval of the mail queue. */
const mailPollMs = 1_000
/** The interval of imports from CSV, whose senders wait for the result. */
const importPollMs = 500
/** The interval for payments in progress: an interrupted refund ends within two minutes. */
const paymentPollMs = 5_000
/** The interval for reminders of invoices, which are due from an hour on. */
const reminderPollMs = 60_000
/** The interval for tax records that are due. The tax office usually asks for a minute between messages. */
const taxRecordPollMs = 5_000
/** The interval for invoice mails whose sender died. */
const lostMailPollMs = 15_000
/** Chunks of a deletion per run. */
const maxChunks = 200

/** A running worker process. */
export type Worker = { close(): Promise<void> }

/**
 * Opens a worker: the relay with its fenced lease, the webhook dispatcher with its shards, and maintenance
 * jobs.
 */
export async function openWorker(config: Config & { databaseUrl: string }, log: Log): Promise<Worker> {
  const database = await openDatabase({
    url: config.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 10_000,
    ...config.databaseWaits,
    applicationName: 'patio worker',
    // the error object carries the whole client
    onPoolError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  })
  const signal = await openSignal({ url: config.databaseUrl, log })
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
    recipients: channelRecipientsResolver,
    onRecorded: metrics && registerAttemptMetrics(metrics),
    traces,
  })
  const relay = openRelay({ database, signal, log, batchSize: relayBatch, fanOut: webhooks.fanOut })
  const metricsServer = metrics && openWorkerMetrics(config, metrics, { database, relay, log })
  const gateways = openGateways(database, config.publicUrl, config.stripe)
  const cipher = openCipher([config.signInSecret, ...(config.formerSecrets ?? [])])
  const paymentContext: PaymentContext = {
    database,
    wakeUp: signal,
    gateways,
    cipher,
    log,
    publicUrl: config.publicUrl,
    seals: openSeals(config.sessionKeys.map(({ secret }) => secret)),
  }
  const pollers = openPollers(paymentContext)
  const mail = openMail(config.smtpUrl, join(config.dataDir, 'mail'), config.mailFrom)
  const { publicUrl, timeStampUrl } = config
  const timeStamps = timeStampUrl === undefined ? undefined : openTimeStamps(timeStampUrl)
  const mailer = { database, mail, log, publicUrl, services: { files, cipher, publicUrl } }
  const office = config.taxRecords?.office
  const taxOffice = office && openTaxOffice(office)
  let isClosing = false
  const repeat = (name: string, everyMs: number, work: () => Promise<void>) =>
    repeatJob(
      everyMs,
      () => runJob(name, work, log, traces),
      openJobRunRecorder(name, database, log),
      (seconds, isFailure) => countRun?.(name, seconds, isFailure),
    )
  const pollDue = async (poller: Poller) => void (await poller.pollDue(() => isClosing))
  const jobs = [
    repeat('import from CSV', importPollMs, () =>
      importFromCsv({ database, wakeUp: signal, cipher, log }, () => isClosing),
    ),
    repeat('send mails', mailPollMs, () => sendMails(mailer, () => isClosing)),
    repeat('repeat mails', notificationMs, () => repeatMails(mailer, () => isClosing)),
    repeat('poll payments', paymentPollMs, () => pollDue(pollers.charges)),
    repeat('poll refunds', paymentPollMs, () => pollDue(pollers.refunds)),
    repeat('poll cards', paymentPollMs, () => pollDue(pollers.cards)),
    repeat('end lost invoice mails', lostMailPollMs, () => endLostInvoiceMails(database, () => isClosing)),
    repeat(
      'poll gateway accounts',
      maintenanceMs,
      async () => void (await pollGatewayAccounts(paymentContext)),
    ),
    repeat('reconcile', maintenanceMs, () => reconcile(paymentContext, () => isClosing)),
    repeat('delete expired data', maintenanceMs, () =>
      deleteExpiredData(database, files, log, () => isClosing),
    ),
    repeat('expire proposals', notificationMs, () => expireOverdueProposals(database, () => isClosing)),
    repeat('announce overdue invoices', notificationMs, () =>
      announceOverdueInvoices(database, signal, () => isClosing),
    ),
    repeat('stop expired signature requests', maintenanceMs, () =>
      stopRequestsWithExpiredLinks(database, signal, () => isClosing),
    ),
    repeat('queue reminders', reminderPollMs, () =>
      queueReminders(database, cipher, signal, () => isClosing),
    ),
    repeat('announce expired shares', notificationMs, () =>
      emitExpiredShares(database, signal, () => isClosing),
    ),
    repeat('seal budgets', sealPollMs, () =>
      sealBudgets(
        {
          database,
          files,
          cipher,
          wakeUp: signal,
          log,
          maxFileBytes: config.maxFileBytes,
          timeStampUrl,
        },
        () => isClosing,
      ),
    ),
    ...(timeStamps
      ? [
          repeat('stamp signatures', notificationMs, () =>
            stampChains({ database, wakeUp: signal, timeStamps }, () => isClosing),
          ),
        ]
      : []),
    ...(taxOffice
      ? [
          repeat('send tax records', taxRecordPollMs, () =>
            sendTaxRecords({ database, taxOffice, log }, () => isClosing),
          ),
        ]
      : []),
    repeat('watch the lead clock', notificationMs, () => warnIfLeadClockAhead(database, log)),
  ]
  return {
    async close() {
      isClosing = true
      const done = jobs.map(stop => stop())
      await relay.close()
      await webhooks.close(config.drainSeconds * 1000)
      await signal.close()
      await Promise.all(done)
      await Promise.all(Object.values(pollers).map(poller => poller.idle()))
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

/** Serves the metrics of a worker, which include those of the whole server while it holds the lease of the relay. */
function openWorkerMetrics(
  config: Config,
  metrics: Metrics,
  { database, relay, log }: { database: Database; relay: Relay; log: Log },
): MetricsServer {
  registerProcessMetrics(metrics, database.pool, diskFolders(config))
  registerServerTotals(metrics, () => readServerTotals(database, log), relay.isHolder)
  return openMetricsServer(metrics, { ...config.metrics!, log })
}

/** Deletes data that has expired. Several workers may do it at once. */
async function deleteExpiredData(
  database: Database,
  files: Files,
  log: Log,
  isClosing: () => boolean,
): Promise<void> {
  await deleteExpired(database.pool, 1_000)
  await removeOldTokens(database)
  await deleteOldRefusedMails(database)
  await deleteOldInboxMarks(database)
  await purgeDeletedAssets(database)
  await purgeExpiredShares(database)
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if (!(await forgetOldInstallers(database))) break
  }
  await updateRatingRanks(database, isClosing)
  await endExpiredFeatures(database)
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if (!(await deleteOldErrors(database))) break
  }
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if ((await deleteOldImports(database)) === 0) break
  }
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if ((await deleteExpiredPortalAccess(database)) === 0) break
  }
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if ((await deleteWaitingFiles(database)) === 0) break
  }
  await maintainDeliveryPartitions(database, log)
  await files.removeStaleUploads()
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if (!(await sweepFiles(database, files))) break
  }
}

/** Ends agent proposals that nobody has decided in time. Each is announced once, however many workers run. */
async function expireOverdueProposals(database: Database, isClosing: () => boolean): Promise<void> {
  for (let round = 0; round < maxChunks && !isClosing(); round++) {
    if ((await expireProposals(database)) === 0) break
  }
}

/** Emits events for invoices that are overdue. */
async function announceOverdueInvoices(
  database: Database,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await emitOverdueInvoices(database)) > 0) signal.changed()
}

/** Queues the reminders that are due: of unpaid invoices, and of signing links. */
async function queueReminders(
  database: Database,
  cipher: Cipher,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await queueDueReminders(database, cipher)) > 0) signal.changed()
  while (!isClosing() && (await queueDueSigningReminders(database, cipher)) > 0) signal.changed()
}

/** Emits events for people who lost access to an asset because a share expired. */
async function emitExpiredShares(
  database: Database,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await announceExpiredShares(database)) > 0) signal.changed()
}

/** Stops signature requests whose links have expired. */
async function stopRequestsWithExpiredLinks(
  database: Database,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await stopExpiredRequests(database)) > 0) signal.changed()
}

/** Creates the leads and clients of imported files. */
async function importFromCsv(importContext: ImportServices, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await runNextImports(importContext, isClosing)));
}

/** Seals all signed budgets that are due. */
async function sealBudgets(services: SealServices, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await sealNextBudget(services)));
}

/** Obtains the time stamps that are due. The first failure waits for the next run: the authority is the same for all. */
async function stampChains(services: TimeStampServices, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await stampNextChain(services)));
}

/** Every kind of mail that is sent after its commit. */
const mailKinds: MailKinds<BudgetMailServices> = new Map(
  [...identityMailKinds, ...crmMailKinds, ...billingMailKinds, ...webhookMailKinds, scopeRequestMail].map(
    (kind: MailKind<BudgetMailServices, never>) => [kind.name, kind],
  ),
)

/** Sends all new mails. */
async function sendMails(mailer: Mailer<BudgetMailServices>, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await sendQueuedMails(mailer, mailKinds)) > 0);
}

/** Sends all mails again whose repetition is due. */
async function repeatMails(mailer: Mailer<BudgetMailServices>, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await repeatQueuedMails(mailer, mailKinds)) > 0);
}

/** Compares each gateway's movements with the ledger, once a day. */
async function reconcile(paymentContext: PaymentContext, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await reconcileAccounts(paymentContext)) > 0);
}

/** Sends the tax records of all chains that are due. */
async function sendTaxRecords(context: TaxRecordContext, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await sendDueRecords(context)));
}

/** Ends invoice mails whose sender died. */
async function endLostInvoiceMails(database: Database, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await endLostDeliveries(database)) > 0);
}

/** Runs a job once, in a trace of its own, and returns the error of a failure. */
function runJob(
  name: string,
  work: () => Promise<void>,
  log: Log,
  traces: Traces | undefined,
): Promise<unknown> {
  const run = () =>
    work().catch(error => {
      log.warn({ err: error, job: name }, 'a maintenance job failed and will run again')
      throw error ?? new Error('unknown')
    })
  return inTrace(traces, { name: `job ${name}`, kind: 'internal' }, run).then(
    () => undefined,
    (error: unknown) => error,
  )
}

/**
 * Runs work now, and again after each pause. It returns the error of a failure, which waits for the next run. The returned
 * function stops it after the current run.
 */
function repeatJob(
  everyMs: number,
  work: () => Promise<unknown>,
  recordRun: (error?: unknown) => Promise<void>,
  countRun: (seconds: number, isFailure: boolean) => void,
): () => Promise<void> {
  const ended = new AbortController()
  const running = (async () => {
    while (!ended.signal.aborted) {
      const startedAt = monotonicMs()
      const error = await work()
      countRun((monotonicMs() - startedAt) / 1000, error !== undefined)
      await recordRun(error)
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  })()
  return async () => {
    ended.abort()
    await running
  }
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
