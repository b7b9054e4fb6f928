import { createHash } from 'node:crypto'
import type { MailMessage } from '#platform/adapters/mail.ts'
import {
  MailExpired,
  type Mailer,
  type MailKind,
  queueMailToSend,
  sendLeasedMail,
} from '#platform/jobs/mail-queue.ts'
import type { Language } from '#platform/language.ts'
import type { Services } from '#platform/services.ts'
import { mailedReset, resetToMail } from './reset-mail.sql.ts'

export const resetLinkMinutes = 60

type ResetMailServices = Pick<Services, 'cipher' | 'publicUrl'>

const purpose = 'password reset mail'
/** The data of a queued mail, with the encrypted token of its link and the end of the link. */
type ResetMailData = { personId: string; token: string; expiresAt: string }

/**
 * Queues the mail with a link to reset a password and sends it. If the mail server does not accept it, a worker tries again
 * while the link is valid (SGN-27).
 *
 * @param token of a stored verification of this person
 */
export async function mailResetLink(
  mailer: Mailer<ResetMailServices>,
  personId: string,
  token: string,
): Promise<void> {
  const { database, services } = mailer
  const reset = await database.crossTenant.first(resetToMail, {
    personId,
    identifier: storedIdentifier(token),
  })
  if (!reset) throw new Error('Only a person with a membership can get a mail')
  const data = {
    personId,
    token: services.cipher.hide(purpose, token, personId),
    expiresAt: reset.expires_at,
  }
  const mail = await database.transact(reset.organization_id, tx =>
    queueMailToSend(tx, passwordResetMail, data),
  )
  await sendLeasedMail(mailer, passwordResetMail, mail)
}

/** The identifier under which better-auth stores the token of a reset link. */
function storedIdentifier(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url')
}

/** The mail with the link to reset a password. */
export const passwordResetMail: MailKind<ResetMailServices, ResetMailData> = {
  name: 'password-reset',
  async compose({ cipher, publicUrl }, db, { personId, token: encrypted, expiresAt }) {
    const token = cipher.reveal(purpose, encrypted, personId)
    const reset = await db.first(mailedReset, { personId, identifier: storedIdentifier(token), expiresAt })
    if (reset?.isTooLate) throw new MailExpired('The link would expire before the mail arrives')
    // a link that was used, or ended with another change of the password, is not mailed
    if (!reset?.isOpen) return undefined
    // the token is in the fragment (`#`), which browsers do not send, so that no proxy log or referrer shows it
    const link = `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`
    return { to: reset.email, ...texts[reset.language ?? 'en'](reset.name, publicUrl, link) }
  },
}

const texts: Record<
  Language,
  (name: string, publicUrl: string, link: string) => Pick<MailMessage, 'subject' | 'text'>
> = {
  en: (name, publicUrl, link) => ({
    subject: 'Choose a new password',
    text: `Hello ${name},

somebody, probably you, requested a new password for ${publicUrl}.
Open this link within ${resetLinkMinutes} minutes to choose one:

${link}

The link works once. A new password signs you out everywhere and revokes your personal access tokens:
tools that use one need a new token.
If you did not request it, ignore this mail.
`,
  }),
  es: (name, publicUrl, link) => ({
    subject: 'Elige una contraseña nueva',
    text: `Hola, ${name}:

alguien, seguramente tú, ha pedido una contraseña nueva para ${publicUrl}.
Abre este enlace en menos de ${resetLinkMinutes} minutos para elegirla:

${link}

El enlace funciona una sola vez. Una contraseña nueva cierra todas tus sesiones y revoca tus tokens de acceso
personal: las herramientas que usen uno necesitarán otro.
Si no la has pedido, ignora este correo.
`,
  }),
}
