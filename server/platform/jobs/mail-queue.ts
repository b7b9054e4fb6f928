import { type Mail, MailFailure, type MailMessage } from '../adapters/mail.ts'
import type { Database } from '../data/database.ts'
import type { Db, Tx } from '../data/db.ts'
import { recordEvents } from '../events/audit.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { mailProblem } from './mail-queue.rules.ts'
import {
  advanceDistantMails,
  insertMail,
  isLastAttempt,
  type LeasedMail,
  leaseMails,
  noteMailError,
  refuseMail,
  removeMail,
} from './mail-queue.sql.ts'

/** For handing mails to the mail server. */
export type MailDeliveryServices = {
  database: Database
  mail: Mail
  log?: Pick<Log, 'warn' | 'error'>
  publicUrl: string
}
/** The same with the services that the templates need. */
export type Mailer<TemplateServices> = MailDeliveryServices & { services: TemplateServices }

/** One kind of mail of the product. */
export type MailKind<TemplateServices, Data> = {
  readonly name: string
  /**
   * Writes the mail when it is sent, so that its content is current, and the queue holds no data of erased
   * people. Undefined if there is nothing to send any more.
   */
  compose(services: TemplateServices, db: Db, data: Data): Promise<MailMessage | undefined>
  /** Runs in the transaction that removes a sent mail from the queue. Events that it emits are sent after the commit. */
  sent?(tx: Tx, data: Data, mail: Pick<LeasedMail, 'attempts'>): Promise<unknown>
}
/** `compose` throws it if the mail is of no use any more, such as one whose link has expired: the mail is given up. */
export class MailExpired extends Error {}

/** The kinds of mail of a worker, by name. */
export type MailKinds<TemplateServices> = ReadonlyMap<string, MailKind<TemplateServices, never>>

/** Queues a mail in the transaction that causes it: a worker sends it after the commit. */
export async function queueMail<Data>(tx: Tx, kind: MailKind<never, Data>, data: Data): Promise<void> {
  await insertMail(tx, { id: newId(), kind: kind.name, data, attempts: 0 })
}

/**
 * The same for a process that sends the mail itself after the commit: see `sendLeasedMail`. A worker retries
 * it if that fails or the process is killed.
 */
export async function queueMailToSend<Data>(
  tx: Tx,
  kind: MailKind<never, Data>,
  data: Data,
): Promise<LeasedMail> {
  const mail = { id: newId(), kind: kind.name, data, attempts: 1 } as const
  await insertMail(tx, mail)
  return { ...mail, organization_id: tx.organizationId }
}

/** Mails per batch; all of them finish before the next batch. Together they need no more connections than a process opens. */
const batchSizes = { new: 3, repeated: 2 }

/** Sends new mails that are due, and returns how many there were. */
export function sendQueuedMails<TemplateServices>(
  mailer: Mailer<TemplateServices>,
  kinds: MailKinds<TemplateServices>,
): Promise<number> {
  return sendBatch(mailer, kinds, false)
}

/** Sends mails again that are due, and returns how many there were. New mails do not wait for them (MAL-7). */
export async function repeatQueuedMails<TemplateServices>(
  mailer: Mailer<TemplateServices>,
  kinds: MailKinds<TemplateServices>,
): Promise<number> {
  await advanceDistantMails(mailer.database)
  return sendBatch(mailer, kinds, true)
}

async function sendBatch<TemplateServices>(
  mailer: Mailer<TemplateServices>,
  kinds: MailKinds<TemplateServices>,
  isRepetition: boolean,
): Promise<number> {
  const size = isRepetition ? batchSizes.repeated : batchSizes.new
  const leasedMails = await leaseMails(mailer.database, size, isRepetition)
  await Promise.all(leasedMails.map(mail => sendLeasedMail(mailer, kinds.get(mail.kind), mail)))
  return leasedMails.length
}

/**
 * Sends a leased mail; true if a mail server accepted it. A failed mail stays in the queue, unless it was
 * refused permanently or this was the last attempt. If the process is killed after the server accepted the
 * mail, it is sent again with the same message id, because SMTP cannot tell.
 */
export async function sendLeasedMail<TemplateServices, Data>(
  { database, mail, log, publicUrl, services }: Mailer<TemplateServices>,
  kind: MailKind<TemplateServices, Data> | undefined,
  leasedMail: LeasedMail,
): Promise<boolean> {
  const { organization_id: organizationId, id } = leasedMail
  const data = leasedMail.data as Data
  let isSent = false
  let message: MailMessage | undefined
  try {
    if (!kind) throw new Error(`Unknown kind of mail: ${leasedMail.kind}`)
    message = await kind.compose(services, database.of(organizationId), data)
    if (message) {
      await mail.send({ ...message, messageId: `${id}@${hostOf(publicUrl)}` })
      isSent = true
    }
  } catch (error) {
    const isFinal =
      isLastAttempt(leasedMail) ||
      error instanceof MailExpired ||
      (error instanceof MailFailure && error.isPermanent)
    const logFields = {
      organizationId,
      mailId: id,
      kind: leasedMail.kind,
      attempts: leasedMail.attempts,
      err: error,
    }
    if (!isFinal) {
      log?.warn(logFields, 'a mail could not be sent and will be retried')
      await database.transact(organizationId, tx =>
        noteMailError(tx, leasedMail, mailProblem(error, message)),
      )
      return false
    }
    log?.error(logFields, 'a mail was given up')
    await database.transact(organizationId, tx => refuseMail(tx, leasedMail, mailProblem(error, message)))
    return false
  }
  const remove = async (tx: Tx) => {
    const isOurs = await removeMail(tx, leasedMail)
    if (isOurs && isSent) await kind?.sent?.(tx, data, leasedMail)
  }
  await database.transact(organizationId, remove, recordEvents)
  return isSent
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[^\w.-]/g, '')
}
