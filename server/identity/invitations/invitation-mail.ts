import { createHash, randomBytes } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Services } from '#platform/http/operation.ts'
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

type InvitationMailData = { organizationId: string; organizationName: string; inviterName: string | null }

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
  { organizationName, inviterName }: InvitationMailData,
): MailMessage {
  return {
    to: email,
    subject: `Invitation to ${organizationName}`,
    text: `Hello${name ? ` ${name}` : ''},

${inviterName ?? 'the operator of this server'} invites you to ${organizationName} on ${publicUrl}.
Open this link within ${limits.invitationDays} days to join:

${publicUrl}/accept-invitation#secret=${secret}

The link works once. If you did not expect this mail, ignore it.
`,
  }
}
