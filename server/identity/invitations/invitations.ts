import {
  createInvitation,
  listInvitations,
  revokeInvitation,
  sendInvitation,
} from '#contract/identity/invitations.ts'
import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { memberById, memberWithEmail } from '../members/member.sql.ts'
import { organizationOf } from '../organization/organization.sql.ts'
import { assertMayAssign, resolveRole } from '../roles/role.rules.ts'
import {
  countedInvitations,
  listedInvitations,
  lockInvitation,
  renewInvitation,
  setRevoked,
  upsertInvitation,
} from './invitation.sql.ts'
import { mailInvitation, newSecret } from './invitation-mail.ts'

export const list = query(listInvitations, async ({ db, query }) => {
  const { limit = 20, offset = 0 } = query
  const [items, count] = await Promise.all([
    db.rows(listedInvitations, limit, offset),
    db.first(countedInvitations),
  ])
  return { items, total: count!.total, limit, offset }
})

export const invite = workflow(createInvitation, async ({ caller, body, db, transact, services }) => {
  const email = body.email.toLowerCase()
  const id = newId()
  const link = newSecret()
  const invitation = await transact(
    async tx => {
      const assigned = await resolveRole(tx, body)
      assertMayAssign(caller, assigned)
      if (await tx.first(memberWithEmail, email)) fail('ALREADY_MEMBER')
      const name = body.name?.trim() ?? null
      return tx.first(
        upsertInvitation,
        id,
        email,
        name,
        assigned.role,
        assigned.roleId,
        link.hash,
        caller.personId,
      )
    },
    { subject: id, changed: ['email', 'role'] },
  )
  return mailInvitation(services, invitation!, link, await invitationMailData(db, caller))
})

export const send = workflow(sendInvitation, async ({ caller, params, db, transact, services }) => {
  const link = newSecret()
  const invitation = await transact(
    async tx => {
      const current = (await tx.first(lockInvitation, params.id)) ?? fail('INVITATION_NOT_FOUND')
      assertMayAssign(
        caller,
        await resolveRole(tx, { role: current.role, roleId: current.roleId ?? undefined }),
      )
      return tx.first(renewInvitation, current.id, link.hash)
    },
    { subject: params.id, changed: ['expiresAt'] },
  )
  return mailInvitation(services, invitation!, link, await invitationMailData(db, caller))
})

export const revoke = command(revokeInvitation, async ({ tx, params, audit }) => {
  if ((await tx.run(setRevoked, params.id)) === 0) fail('INVITATION_NOT_FOUND')
  audit(params.id, ['revokedAt'])
})

async function invitationMailData(db: Db, { organizationId, personId }: Caller) {
  const [organization, inviter] = await Promise.all([
    db.first(organizationOf),
    db.first(memberById, personId),
  ])
  return { organizationId, organizationName: organization!.name, inviterName: inviter?.name ?? null }
}
