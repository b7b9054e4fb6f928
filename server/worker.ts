import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  endLostDeliveries,
  lookAtAccounts,
  openRecoveries,
  reconcileAccounts,
  type Till,
  tellOverdue,
} from './billing/index.ts'
import { endProposals } from './chat/agents/agent-expiry.sql.ts'
import { channelReach } from './chat/reach/reach.ts'
import { type Config, requireDatabase } from './config.ts'
import { crmMailKinds, type LetterServices } from './crm/index.ts'
import { warnOfLeadClock } from './crm/leads/clock/ahead.ts'
import { forgetImports } from './crm/leads/imports/work/import-work.sql.ts'
import { type Desk, workOnImport } from './crm/leads/imports/work/work.ts'
import { forgetOldErrors } from './error-reports/index.ts'
import { removeOldTokens } from './identity/personal-tokens/personal-token.sql.ts'
import { deleteExpired } from './identity/sign-in/sign-in.sql.ts'
import { webhookMailKinds } from './integrations/index.ts'
import { openWebhookEngine } from './integrations/webhooks/engine.ts'
import { maintainDeliveryPartitions } from './integrations/webhooks/retention/retention.sql.ts'
import { forgetOldInstallers, updateRatingRanks } from './marketplace/entries/rerank.sql.ts'
import { endExpiredFeatures } from './marketplace/review-queue/featured.sql.ts'
import { type Files, openFiles } from './platform/adapters/files.ts'
import { openGateways } from './platform/adapters/gateway.ts'
import { openMail } from './platform/adapters/mail.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { openRelay } from './platform/events/relay.ts'
import { openSignal } from './platform/events/signal.ts'
import { type Mailer, type MailKind, type MailKinds, sendQueuedMails } from './platform/jobs/mail-queue.ts'
import { type Log, openLog } from './platform/log.ts'
import { openCipher } from './platform/security/cipher.ts'
import { openSeals } from './platform/security/seals.ts'
import { freeStartupMemory } from './platform/startup-memory.ts'
import { printReady, untilShutdownSignal } from './shutdown.ts'
import { purgeDeletedAssets } from './studio/assets/asset-purge.sql.ts'
import { sweepFiles } from './studio/files/file-sweep.sql.ts'
import { announceExpiredShares } from './studio/shares/expiry/share-expiry.events.ts'
import { purgeExpiredShares } from './studio/shares/share-purge.sql.ts'

/** Of a backlog so many rows at a time: each batch costs some round trips and a commit, whatever its size. */
const relayBatch = 1_000
const choresMs = 10 * 60_000
/** What somebody waits to be told is looked for more often. */
const promptMs = 5_000
/** A mail leaves so soon after the change that it is about. */
const mailMs = 1_000
/** Whoever sends a file waits for what comes of it. */
const importMs = 500
/** Money that is on its way is looked for so often: a refund that was interrupted ends within two minutes. */
const recoveryMs = 5_000
/** Mails whose sender is gone are looked for so often. */
const lostMailMs = 15_000
/** Of the objects that are due, so many chunks at each time. */
const sweeps = 200

/** One worker process that is at work. */
export type Worker = { close(): Promise<void> }

/** Opens a worker: the relay, with a fenced lease, the dispatcher of webhooks, with its shards, and housekeeping. */
export async function openWorker(config: Config & { databaseUrl: string }, log: Log): Promise<Worker> {
  const database = await openDatabase({
    url: config.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 10_000,
    applicationName: 'patio worker',
    // the error carries the whole client
    onPoolError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  })
  const signal = await openSignal({ url: config.databaseUrl, log })
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  // before anything is written into them
  await maintainDeliveryPartitions(database, log)
  const webhooks = await openWebhookEngine(config, database, signal, log, { recipients: channelReach })
  const relay = openRelay({ database, signal, log, batch: relayBatch, fanOut: webhooks.fanOut })
  const gateways = openGateways(database, config.publicUrl, config.stripe)
  const cipher = openCipher([config.signInSecret, ...(config.formerSecrets ?? [])])
  const till: Till = {
    database,
    signal,
    gateways,
    cipher,
    log,
    publicUrl: config.publicUrl,
    seals: openSeals(config.sessionKeys.map(({ secret }) => secret)),
  }
  const recoveries = openRecoveries(till)
  const mail = openMail(config.smtpUrl, join(config.dataDir, 'mail'), config.mailFrom)
  const { publicUrl } = config
  const mailer = { database, mail, log, publicUrl, services: { files, cipher, publicUrl } }
  let isClosing = false
  const chores = [
    repeat(importMs, log, () => makeLeads({ database, wakeUp: signal, cipher, log }, () => isClosing)),
    repeat(mailMs, log, () => sendMails(mailer, () => isClosing)),
    ...recoveries.map(recovery =>
      repeat(recoveryMs, log, async () => void (await recovery.takeUp(() => isClosing))),
    ),
    repeat(lostMailMs, log, () => endLost(database, () => isClosing)),
    repeat(choresMs, log, async () => void (await lookAtAccounts(till))),
    repeat(choresMs, log, () => reconcile(till, () => isClosing)),
    repeat(choresMs, log, () => tidy(database, files, log, () => isClosing)),
    repeat(promptMs, log, () => endOverdue(database, () => isClosing)),
    repeat(promptMs, log, () => tellOfOverdue(database, signal, () => isClosing)),
    repeat(promptMs, log, () => tellOfExpiredShares(database, signal, () => isClosing)),
    repeat(promptMs, log, () => warnOfLeadClock(database, log)),
  ]
  return {
    async close() {
      isClosing = true
      const done = chores.map(stop => stop())
      await relay.close()
      await webhooks.close(config.drainSeconds * 1000)
      await signal.close()
      await Promise.all(done)
      await Promise.all(recoveries.map(recovery => recovery.idle()))
      files.close()
      gateways.close()
      await mail.close()
      await database.close()
    },
  }
}

/** What the areas keep for a time only. Harmless when several workers do it at once. */
async function tidy(database: Database, files: Files, log: Log, isClosing: () => boolean): Promise<void> {
  await deleteExpired(database.pool, 1_000)
  await removeOldTokens(database)
  await purgeDeletedAssets(database)
  await purgeExpiredShares(database)
  for (let round = 0; round < sweeps && !isClosing(); round++) {
    if (!(await forgetOldInstallers(database))) break
  }
  await updateRatingRanks(database, isClosing)
  await endExpiredFeatures(database)
  for (let round = 0; round < sweeps && !isClosing(); round++) {
    if (!(await forgetOldErrors(database))) break
  }
  for (let round = 0; round < sweeps && !isClosing(); round++) {
    if ((await forgetImports(database)) === 0) break
  }
  await maintainDeliveryPartitions(database, log)
  await files.tidy()
  for (let round = 0; round < sweeps && !isClosing(); round++) {
    if (!(await sweepFiles(database, files))) break
  }
}

/** What applications wait to be told that nobody has decided. Told once, however many workers look for it. */
async function endOverdue(database: Database, isClosing: () => boolean): Promise<void> {
  for (let round = 0; round < sweeps && !isClosing(); round++) {
    if ((await endProposals(database)) === 0) break
  }
}

/** Invoices that should have been paid by now. */
async function tellOfOverdue(
  database: Database,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await tellOverdue(database)) > 0) signal.changed()
}

/** People who lost access to an asset because a share expired. */
async function tellOfExpiredShares(
  database: Database,
  signal: { changed(): void },
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing() && (await announceExpiredShares(database)) > 0) signal.changed()
}

/** Leads of the files that people sent. */
async function makeLeads(desk: Desk, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await workOnImport(desk, isClosing)));
}

/** Every letter of the product that leaves after its commit. */
const mailKinds: MailKinds<LetterServices> = new Map(
  [...crmMailKinds, ...webhookMailKinds].map((kind: MailKind<LetterServices, never>) => [kind.name, kind]),
)

/** Mails that are due, as many as there are. */
async function sendMails(mailer: Mailer<LetterServices>, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await sendQueuedMails(mailer, mailKinds)) > 0);
}

/** The movements at each gateway with the ledger, once a day. */
async function reconcile(till: Till, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await reconcileAccounts(till)) > 0);
}

/** Mails with invoices whose sender is gone. */
async function endLost(database: Database, isClosing: () => boolean): Promise<void> {
  while (!isClosing() && (await endLostDeliveries(database)) > 0);
}

/**
 * Does something now, and again so long after it was done. What fails waits for the next time. The function that is
 * given back ends that, when what is being done is done.
 */
function repeat(everyMs: number, log: Log, work: () => Promise<void>): () => Promise<void> {
  const ended = new AbortController()
  const running = (async () => {
    while (!ended.signal.aborted) {
      await work().catch(error => log.warn({ err: error }, 'housekeeping waits for the next time'))
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  })()
  return async () => {
    ended.abort()
    await running
  }
}

/** Runs a worker process until it is told to stop. */
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
