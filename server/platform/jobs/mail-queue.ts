import { type Mail, MailFailure, type MailMessage } from '../adapters/mail.ts'
import type { Database, Db, Tx } from '../data/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { insertMail, isLastAttempt, type LeasedMail, leaseMails, removeMail } from './mail-queue.sql.ts'

/** What sending mails needs; `Services` is what the letters are written with. */
export type Mailer<Services> = {
  database: Database
  mail: Mail
  log?: Pick<Log, 'warn' | 'error'>
  publicUrl: string
  services: Services
}

/** One letter of the product. */
export type MailKind<Services, Data> = {
  readonly name: string
  /**
   * Writes the letter when it is sent, so that it says what is so then, and nobody is kept in the queue who was erased.
   * Undefined when there is nothing to send any more.
   */
  compose(services: Services, db: Db, data: Data): Promise<MailMessage | undefined>
  /** What is written down with the commit that takes a sent mail out of the queue. */
  sent?(tx: Tx, data: Data): Promise<unknown>
}
/** The letters that a worker knows, each by its name. */
export type MailKinds<Services> = ReadonlyMap<string, MailKind<Services, never>>

/** Queues a mail with the change that it is about: a worker sends it after the commit. */
export async function queueMail<Data>(tx: Tx, kind: MailKind<never, Data>, data: Data): Promise<void> {
  await insertMail(tx, { id: newId(), kind: kind.name, data, attempts: 0 })
}

/**
 * The same for a process that sends the mail itself, once its transaction has committed: see `trySending`. A worker repeats
 * it when that fails, or when the process is killed.
 */
export async function queueMailToSend<Data>(
  tx: Tx,
  kind: MailKind<never, Data>,
  data: Data,
): Promise<LeasedMail> {
  const mail = { id: newId(), kind: kind.name, data, attempts: 1 } as const
  await insertMail(tx, mail)
  return { ...mail, organizationId: tx.organizationId }
}

/** At once; all of them end before anybody else takes one. */
const batchSize = 5

/** Sends mails that are due, and answers how many there were. */
export async function sendQueuedMails<Services>(
  mailer: Mailer<Services>,
  kinds: MailKinds<Services>,
): Promise<number> {
  const leasedMail = await leaseMails(mailer.database, batchSize)
  await Promise.all(leasedMail.map(mail => sendLeasedMail(mailer, kinds.get(mail.kind), mail)))
  return leasedMail.length
}

/**
 * Sends a mail that is in the hands of this process; true when a mail server took it. What fails stays in the queue, unless it
 * was refused for good or was tried often enough. A process that is killed after the server took the mail sends it again, as
 * the same message: SMTP has no way to ask.
 */
export async function sendLeasedMail<Services, Data>(
  { database, mail, log, publicUrl, services }: Mailer<Services>,
  kind: MailKind<Services, Data> | undefined,
  leasedMail: LeasedMail,
): Promise<boolean> {
  const { organizationId, id } = leasedMail
  const data = leasedMail.data as Data
  let isSent = false
  try {
    if (!kind) throw new Error(`No letter is called ${leasedMail.kind}`)
    const message = await kind.compose(services, database.of(organizationId), data)
    if (message) {
      await mail.send({ ...message, messageId: `${id}@${hostOf(publicUrl)}` })
      isSent = true
    }
  } catch (error) {
    const isFinal = isLastAttempt(leasedMail) || (error instanceof MailFailure && error.isPermanent)
    const logFields = {
      organizationId,
      mailId: id,
      kind: leasedMail.kind,
      attempts: leasedMail.attempts,
      err: error,
    }
    if (!isFinal) {
      log?.warn(logFields, 'a mail waits for the next attempt')
      return false
    }
    log?.error(logFields, 'a mail was given up')
  }
  await database.transact(organizationId, async tx => {
    const isOurs = await removeMail(tx, leasedMail)
    if (isOurs && isSent) await kind?.sent?.(tx, data)
  })
  return isSent
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[^\w.-]/g, '')
}
