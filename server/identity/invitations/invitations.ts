import {
  createInvitation,
  type Invitation,
  inviteMany,
  listInvitations,
  revokeInvitation,
  sendInvitation,
} from '#contract/identity/invitations.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import type { LeasedMail } from '#platform/jobs/mail-queue.sql.ts'
import { lookUp } from '#platform/required.ts'
import type { Services } from '#platform/services.ts'
import { memberWithEmail } from '../members/member.sql.ts'
import { mailLanguageOf } from '../person/person.sql.ts'
import { assertMayAssign, resolveRole } from '../roles/role.rules.ts'
import {
  addressesIn,
  addressOf,
  isInvited,
  type PlannedInvitation,
  planInvitations,
} from './invitation.rules.ts'
import {
  countedInvitations,
  knownAddresses,
  listedInvitations,
  lockInvitation,
  renewInvitation,
  setRevoked,
  upsertInvitation,
} from './invitation.sql.ts'
import {
  type InvitationSender,
  newSecret,
  queueInvitationMail,
  sendInvitationMail,
} from './invitation-mail.ts'

/** Mails of a bulk invitation that are sent at the same time. */
const mailsAtOnce = 5

export const list = query(listInvitations, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const [items, count] = await Promise.all([
    db.rows(listedInvitations, { limit, offset }),
    db.one(countedInvitations),
  ])
  return { items, total: count.total, limit, offset }
})

/** An invitation with its mail, which this process sends after the commit. */
type QueuedInvitation = { invitation: Invitation; mail: LeasedMail }

export const invite = workflow(createInvitation, async ({ caller, body, transact, services }) => {
  const email = body.email.toLowerCase()
  const id = newId()
  const link = newSecret()
  const sender = await senderOf(services, caller)
  const { invitation, mail } = await transact(
    async tx => {
      const assigned = await resolveRole(tx, body)
      assertMayAssign(caller, assigned)
      if (await tx.first(memberWithEmail, { email })) fail('ALREADY_MEMBER')
      const name = body.name?.trim() ?? null
      const invitation = await tx.one(upsertInvitation, {
        id,
        email,
        name,
        role: assigned.role,
        roleId: assigned.roleId,
        secretHash: link.hash,
        invitedBy: caller.personId,
      })
      const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
      return { invitation, mail }
    },
    { subject: id, changed: ['email', 'role'] },
  )
  return sendInvitationMail(services, invitation, mail)
})

/**
 * MBR-14: the results are decided together, the invitations are created with their mails in one transaction, and the mails
 * are sent after it.
 */
export const inviteAll = workflow(inviteMany, async ({ caller, body, db, transact, services }) => {
  const { emails, preview = false } = body
  if (preview) {
    assertMayAssign(caller, await resolveRole(db, body))
    const planned = planInvitations(emails, await db.rows(knownAddresses, { emails: addressesIn(emails) }))
    return { items: planned.map(item => ({ ...item, invitation: null })), preview }
  }
  const links = new Map(addressesIn(emails).map(email => [email, { ...newSecret(), id: newId() }]))
  const detail: { invitationIds: string[] } = { invitationIds: [] }
  const sender = await senderOf(services, caller)
  const { planned, created } = await transact(
    async tx => {
      const assigned = await resolveRole(tx, body)
      assertMayAssign(caller, assigned)
      const planned = planInvitations(emails, await tx.rows(knownAddresses, { emails: addressesIn(emails) }))
      const created = new Map<string, QueuedInvitation>()
      // in a fixed order, so that two calls with the same addresses wait for each other and do not deadlock
      const invited = planned
        .filter(isInvited)
        .sort((a, b) => Number(addressOf(a.email) > addressOf(b.email)) || -1)
      for (const { email } of invited) {
        const link = lookUp(links, addressOf(email))
        const invitation = await tx.one(upsertInvitation, {
          id: link.id,
          email: addressOf(email),
          name: null,
          role: assigned.role,
          roleId: assigned.roleId,
          secretHash: link.hash,
          invitedBy: caller.personId,
        })
        const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
        created.set(email, { invitation, mail })
      }
      detail.invitationIds = [...created.values()].map(({ invitation }) => invitation.id)
      announceInvitations(tx, caller, planned, created)
      return { planned, created }
    },
    { subject: caller.organizationId, changed: ['invitations'], detail },
  )
  const mailed = await sendAll([...created.values()], ({ invitation, mail }) =>
    sendInvitationMail(services, invitation, mail),
  )
  return {
    items: planned.map(item => ({
      ...item,
      invitation:
        mailed.find(({ id }) => id === created.get(item.email)?.invitation.id && isInvited(item)) ?? null,
    })),
    preview,
  }
})

/** One event for all invitations, with the ids of the new ones; none if there was nobody to invite (PEO-6). */
function announceInvitations(
  tx: Tx,
  caller: Caller,
  planned: readonly PlannedInvitation[],
  created: ReadonlyMap<string, QueuedInvitation>,
): void {
  const idsWith = (...results: PlannedInvitation['result'][]) =>
    planned.flatMap(({ email, result }) =>
      results.includes(result) ? [lookUp(created, email).invitation.id] : [],
    )
  const ids = idsWith('INVITED', 'INVITED_AGAIN')
  const createdIds = idsWith('INVITED')
  if (ids.length === 0) return
  emit(tx, caller, 'invitation.changed', { ids, ...(createdIds.length > 0 && { createdIds }) })
}

/** Sends some mails at a time. When a mail server fails, a worker sends the rest. */
async function sendAll<Sent extends { mailSent: boolean }>(
  invitations: readonly QueuedInvitation[],
  send: (queued: QueuedInvitation) => Promise<Sent>,
): Promise<(Sent | (Invitation & { mailSent: false }))[]> {
  const results: (Sent | (Invitation & { mailSent: false }))[] = []
  for (let at = 0; at < invitations.length; at += mailsAtOnce) {
    const hasFailed = results.length > 0 && results.slice(-mailsAtOnce).every(({ mailSent }) => !mailSent)
    const batch = invitations.slice(at, at + mailsAtOnce)
    const sent = hasFailed
      ? batch.map(({ invitation }) => ({ ...invitation, mailSent: false as const }))
      : batch.map(send)
    results.push(...(await Promise.all(sent)))
  }
  return results
}

export const send = workflow(sendInvitation, async ({ caller, params, transact, services }) => {
  const link = newSecret()
  const sender = await senderOf(services, caller)
  const { invitation, mail } = await transact(
    async tx => {
      const current = (await tx.first(lockInvitation, { id: params.id })) ?? fail('INVITATION_NOT_FOUND')
      assertMayAssign(
        caller,
        await resolveRole(tx, { role: current.role, roleId: current.roleId ?? undefined }),
      )
      const invitation = await tx.one(renewInvitation, { id: current.id, secretHash: link.hash })
      const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
      return { invitation, mail }
    },
    { subject: params.id, changed: ['expiresAt'] },
  )
  return sendInvitationMail(services, invitation, mail)
})

export const revoke = command(revokeInvitation, async ({ tx, params, audit }) => {
  if ((await tx.run(setRevoked, { id: params.id })) === 0) fail('INVITATION_NOT_FOUND')
  audit(params.id, ['revokedAt'])
})

async function senderOf(
  { database }: Pick<Services, 'database'>,
  { personId }: Caller,
): Promise<InvitationSender> {
  return { inviterId: personId, language: await mailLanguageOf(database, personId) }
}
