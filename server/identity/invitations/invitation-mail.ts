import { createHash, randomBytes } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Services } from '#platform/http/operation.ts'
import type { Language } from '#platform/language.ts'
import { type InvitationRow, setSent } from './invitation.sql.ts'

/**
 * 160 random bits for a link. Only `hash` is stored, so that read access to the database does not allow
 * accepting.
 */
export function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(20).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

type InvitationMailData = {
  organizationId: string
  organizationName: string
  /** Null: an operator. */
  inviterName: string | null
  language: Language
}

/**
 * Mails a stored invitation and records that it was sent. If the mail server fails, the invitation remains
 * and can be sent again.
 */
export async function mailInvitation(
  services: Services,
  invitation: InvitationRow,
  { secret, hash }: { secret: string; hash: string },
  mailData: InvitationMailData,
): Promise<InvitationRow & { mailSent: boolean }> {
  try {
    await services.mail.send(invitationMail(services.publicUrl, invitation, secret, mailData))
  } catch (error) {
    services.log?.warn({ err: error, invitationId: invitation.id }, 'an invitation mail could not be sent')
    return { ...invitation, mailSent: false }
  }
  const sent = await services.database.transact(mailData.organizationId, tx =>
    tx.first(setSent, invitation.id, hash),
  )
  return { ...invitation, sentAt: sent?.sentAt ?? null, mailSent: true }
}

/**
 * The secret is in the fragment (`#`), which browsers do not send, so that no proxy log or referrer shows it.
 */
function invitationMail(
  publicUrl: string,
  { email, name }: InvitationRow,
  secret: string,
  { organizationName, inviterName, language }: InvitationMailData,
): MailMessage {
  const link = `${publicUrl}/accept-invitation#secret=${secret}`
  return { to: email, ...texts[language]({ name, organizationName, inviterName, publicUrl, link }) }
}

type InvitationTextData = Pick<InvitationMailData, 'organizationName' | 'inviterName'> & {
  name: string | null
  publicUrl: string
  link: string
}
const texts: Record<Language, (data: InvitationTextData) => Pick<MailMessage, 'subject' | 'text'>> = {
  en: ({ name, organizationName, inviterName, publicUrl, link }) => ({
    subject: `Invitation to ${organizationName}`,
    text: `Hello${name ? ` ${name}` : ''},

${inviterName ?? 'The operator of this server'} invites you to ${organizationName} on ${publicUrl}.
Open this link within ${limits.invitationDays} days to join:

${link}

The link works once. If you did not expect this mail, ignore it.
`,
  }),
  es: ({ name, organizationName, inviterName, publicUrl, link }) => ({
    subject: `Invitación a ${organizationName}`,
    text: `Hola${name ? `, ${name}` : ''}:

${inviterName ?? 'El operador de este servidor'} te invita a ${organizationName} en ${publicUrl}.
Abre este enlace en menos de ${limits.invitationDays} días para unirte:

${link}

El enlace funciona una sola vez. Si no esperabas este correo, ignóralo.
`,
  }),
}
