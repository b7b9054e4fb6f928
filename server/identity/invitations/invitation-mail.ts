import { randomBytes } from 'node:crypto'
import type { Invitation } from '#contract/identity/invitations.ts'
import { limits } from '#contract/limits.ts'
import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { LeasedMail } from '#platform/jobs/mail-queue.sql.ts'
import {
  type MailDeliveryServices,
  type MailKind,
  queueMailToSend,
  sendLeasedMail,
} from '#platform/jobs/mail-queue.ts'
import type { Language } from '#platform/language.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { digestOf } from '#platform/security/credential.ts'
import type { Services } from '#platform/services.ts'
import { namesOfPeople } from '../members/member.sql.ts'
import { organizationOf } from '../organization/organization.sql.ts'
import { mailedInvitation, sentAtOf, setSent } from './invitation.sql.ts'

/** The secret of a link, and the digest that identifies the invitation. */
export type InvitationLink = { secret: string; hash: string }

/**
 * 160 random bits for a link. Only `hash` is stored with the invitation, so that read access to the database does not
 * allow accepting.
 */
export function newSecret(): InvitationLink {
  const secret = randomBytes(20).toString('base64url')
  return { secret, hash: digestOf(secret) }
}

/** The person who invites, and the language of the mail. */
export type InvitationSender = {
  /** A member of the organization; null: an operator. */
  inviterId: string | null
  language: Language
}

type InvitationLinkServices = Pick<Services, 'cipher' | 'publicUrl'>
/** The services that sending an invitation needs. */
export type InvitationMailServices = MailDeliveryServices & InvitationLinkServices

const purpose = 'invitation mail'
/** The data of a queued mail, with the encrypted secret of its link. */
type InvitationMailData = InvitationSender & { invitationId: string; secret: string; hash: string }

/** Queues the mail of an invitation in the transaction that creates the link. `sendInvitationMail` sends it. */
export function queueInvitationMail(
  tx: Tx,
  cipher: Cipher,
  invitation: Invitation,
  { secret, hash }: InvitationLink,
  { inviterId, language }: InvitationSender,
): Promise<LeasedMail> {
  return queueMailToSend(tx, invitationMail, {
    invitationId: invitation.id,
    secret: cipher.hide(purpose, secret, `${tx.organizationId}/${invitation.id}`),
    hash,
    inviterId,
    language,
  })
}

/**
 * Sends a queued mail after the commit. If the mail server does not accept it, a worker tries again (MBR-10).
 * `mailSent`: whether the mail server accepted it now.
 */
export async function sendInvitationMail(
  services: InvitationMailServices,
  invitation: Invitation,
  mail: LeasedMail,
): Promise<Invitation & { mailSent: boolean }> {
  const mailSent = await sendLeasedMail({ ...services, services }, invitationMail, mail)
  if (!mailSent) return { ...invitation, mailSent }
  const sent = await services.database.of(mail.organization_id).first(sentAtOf, { id: invitation.id })
  return { ...invitation, sentAt: sent?.sent_at ?? null, mailSent }
}

/** The mail with the link of an invitation. */
export const invitationMail: MailKind<InvitationLinkServices, InvitationMailData> = {
  name: 'invitation',
  async compose({ cipher, publicUrl }, db, { invitationId, secret: encrypted, hash, inviterId, language }) {
    // an invitation that is accepted, revoked or expired, or has another link, is not mailed
    const invitation = await db.first(mailedInvitation, { id: invitationId, secretHash: hash })
    if (!invitation) return undefined
    const [organization, [inviter]] = await Promise.all([
      db.one(organizationOf),
      db.rows(namesOfPeople, { ids: inviterId === null ? [] : [inviterId] }),
    ])
    const secret = cipher.reveal(purpose, encrypted, `${db.organizationId}/${invitationId}`)
    return {
      to: invitation.email,
      ...texts[language]({
        name: invitation.name,
        organizationName: organization.name,
        inviterName: inviter?.name ?? null,
        publicUrl,
        // in the fragment (`#`), which browsers do not send, so that no proxy log or referrer shows the secret
        link: `${publicUrl}/accept-invitation#secret=${secret}`,
      }),
    }
  },
  async sent(tx, { invitationId, hash }, { attempts }) {
    await tx.run(setSent, { id: invitationId, secretHash: hash })
    // the reply to the request shows the result of the first attempt
    if (attempts > 1) emit(tx, { personId: '' }, 'invitation.changed', { ids: [invitationId] })
  },
}

type InvitationTextData = {
  name: string | null
  organizationName: string
  /** Null: an operator. */
  inviterName: string | null
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
