import { resumeWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import type { MailKind } from '#platform/jobs/mail-queue.ts'
import { writing } from '#platform/language.ts'
import { mailedWebhook, mailRecipients, webhookMailNames } from './webhook-mail.sql.ts'

/** The services that mails about webhooks need. */
type MailServices = { publicUrl: string }
/** The data that the dispatcher queues with the change of health. */
type HealthChange = { applicationId: string; at: string }
type MailFacts = { name: string; origin: string; at: string; applicationId: string; publicUrl: string }
type MailText = { subject: string; text: string }

function webhookMail(
  name: string,
  write: (facts: MailFacts) => MailText,
): MailKind<MailServices, HealthChange> {
  return {
    name,
    async compose({ publicUrl }, db, { applicationId, at }) {
      const webhook = await mailedWebhook(db, applicationId)
      if (!webhook) return undefined
      const to = await mailRecipients(db, webhook.principal_id)
      if (to.length === 0) return undefined
      return {
        to,
        ...write({
          name: webhook.name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '),
          // the rest of the URL may contain a secret
          origin: new URL(webhook.url).origin,
          at: writing.en.moment(at),
          applicationId,
          publicUrl,
        }),
      }
    },
  }
}

const paused = webhookMail(webhookMailNames.paused, ({ name, origin, at, applicationId, publicUrl }) => ({
  subject: `The webhook of ${name} is paused`,
  text: `The webhook of the application ${name} was paused on ${at}.

The last ${limits.webhookHoldDeliveries} deliveries to ${origin} failed, over at least ${limits.webhookHoldMinutes} minutes. Deliveries are paused until
someone resumes the webhook. They are stored for ${limits.webhookRetentionDays} days and sent then.

When the receiver works again, resume the webhook on ${publicUrl}
(${resumeWebhook.method} ${pathAt('session', resumeWebhook).replace(':id', applicationId)}).

You get this mail because the application acts on your behalf, or because you manage integrations.
`,
}))

const recovered = webhookMail(webhookMailNames.recovered, ({ name, origin, at }) => ({
  subject: `The webhook of ${name} works again`,
  text: `The webhook of the application ${name} works again: a delivery to ${origin} arrived
on ${at}, the first one since the webhook was paused.

Deliveries that failed before the pause are not retried automatically.

You get this mail because the application acts on your behalf, or because you manage integrations.
`,
}))

/** The mails about webhooks that a worker sends. */
export const webhookMailKinds = [paused, recovered]
