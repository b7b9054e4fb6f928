import { createHash, randomBytes } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Services } from '#platform/http/operation.ts'
import { type InvitationRow, setSent } from './invitation.sql.ts'

/** 160 random bits for a link. Only `hash` is stored: who reads the database cannot accept in another's name. */
export function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(20).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

type InvitationMailData = { organizationId: string; organizationName: string; inviterName: string | null }

/**
 * Mails an invitation that is recorded already and notes that it went out. A mail server that fails costs
 * nothing but the mail: the invitation stands and can be sent again.
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
    services.log?.warn({ err: error, invitationId: invitation.id }, 'an invitation could not be mailed')
    return { ...invitation, mailSent: false }
  }
  const sent = await services.database.transact(mailData.organizationId, tx =>
    tx.first(setSent, invitation.id, hash),
  )
  return { ...invitation, sentAt: sent?.sentAt ?? null, mailSent: true }
}

/** The secret stands behind `#`, which browsers keep to themselves: no proxy log and no referrer shows it. */
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

It works once. If you did not expect it, ignore this mail: nothing changes.
`,
  }
}
