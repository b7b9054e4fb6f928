import { pathAt } from '#contract/endpoint.ts'
import { resumeWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/db/database.ts'
import { writing } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import type { Mail, MailMessage } from '#platform/outside/mail.ts'
import { recipientsOf, removeMail, takeMails, type WebhookMail } from './store.ts'

export type WebhookMailer = {
  database: Database
  mail: Mail
  log: Pick<Log, 'warn'>
  publicUrl: string
}

const mostAtOnce = 20

/**
 * Mails people that a webhook was paused because its deliveries failed, and that it works again. The dispatcher writes
 * a row with the change itself, so a crash loses no mail; a mail that is repeated after a crash has the same Message-ID,
 * which mailboxes show once. Answers how many mails were due.
 */
export async function sendWebhookMails(mailer: WebhookMailer): Promise<number> {
  const due = await mailer.database.wide.rows(takeMails, mostAtOnce)
  for (const one of due) await sendOne(mailer, one)
  return due.length
}

async function sendOne({ database, mail, log, publicUrl }: WebhookMailer, one: WebhookMail): Promise<void> {
  const db = database.of(one.organizationId)
  try {
    const to = await recipientsOf(db, one.principalId)
    if (to.length > 0) await mail.send(messageOf(one, to, publicUrl))
  } catch (error) {
    const isLast = one.attempts >= limits.webhookMailAttempts
    log.warn({ err: error, applicationId: one.applicationId, isLast }, 'a mail about a webhook was not sent')
    if (!isLast) return
  }
  await removeMail(db, one.id)
}

function messageOf(one: WebhookMail, to: string[], publicUrl: string): MailMessage {
  const { applicationName, applicationId, at, id, kind } = one
  const name = applicationName.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  // the rest of the address may hold a secret
  const { origin } = new URL(one.url)
  const resumePath = pathAt('people', resumeWebhook).replace(':id', applicationId)
  const isPaused = kind === 'PAUSED'
  return {
    to,
    messageId: `${id}@${new URL(publicUrl).hostname.replaceAll(/[^\w.-]/g, '')}`,
    subject: isPaused ? `The webhook of ${name} is paused` : `The webhook of ${name} works again`,
    text: isPaused
      ? `The webhook of the application ${name} was paused on ${writing.en.moment(at)}.

The last ${limits.webhookHoldDeliveries} deliveries to ${origin} failed, over at least ${limits.webhookHoldMinutes} minutes. Nothing is sent until
somebody resumes the webhook. What happens meanwhile is kept for ${limits.webhookRetentionDays} days and sent then.

When the receiver works again, resume the webhook on ${publicUrl}
(${resumeWebhook.method} ${resumePath}).

You get this mail because the application acts on your behalf, or because you manage integrations.
`
      : `The webhook of the application ${name} works again: a delivery to ${origin} arrived
on ${writing.en.moment(at)}, the first one since the webhook was paused.

Deliveries that failed before the pause are not sent again by themselves.

You get this mail because the application acts on your behalf, or because you manage integrations.
`,
  }
}
