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
import { assertMayGive, roleNamed } from '../roles/role.rules.ts'
import {
  countedInvitations,
  listedInvitations,
  lockInvitation,
  putInvitation,
  renewInvitation,
  setRevoked,
} from './invitation.sql.ts'
import { mailInvitation, newSecret } from './send.ts'

export const list = query(listInvitations, async ({ db, query }) => {
  const { limit = 20, offset = 0 } = query
  const [items, counted] = await Promise.all([
    db.rows(listedInvitations, limit, offset),
    db.first(countedInvitations),
  ])
  return { items, total: counted!.total, limit, offset }
})

export const invite = workflow(createInvitation, async ({ caller, body, db, transact, services }) => {
  const email = body.email.toLowerCase()
  const id = newId()
  const link = newSecret()
  const invitation = await transact(
    async tx => {
      const given = await roleNamed(tx, body)
      assertMayGive(caller, given)
      if (await tx.first(memberWithEmail, email)) fail('ALREADY_MEMBER')
      const name = body.name?.trim() ?? null
      return tx.first(putInvitation, id, email, name, given.role, given.roleId, link.hash, caller.personId)
    },
    { subject: id, changed: ['email', 'role'] },
  )
  return mailInvitation(services, invitation!, link, await letterFrom(db, caller))
})

export const send = workflow(sendInvitation, async ({ caller, params, db, transact, services }) => {
  const link = newSecret()
  const invitation = await transact(
    async tx => {
      const found = (await tx.first(lockInvitation, params.id)) ?? fail('INVITATION_NOT_FOUND')
      assertMayGive(caller, await roleNamed(tx, { role: found.role, roleId: found.roleId ?? undefined }))
      return tx.first(renewInvitation, found.id, link.hash)
    },
    { subject: params.id, changed: ['expiresAt'] },
  )
  return mailInvitation(services, invitation!, link, await letterFrom(db, caller))
})

export const revoke = command(revokeInvitation, async ({ tx, params, audit }) => {
  if ((await tx.run(setRevoked, params.id)) === 0) fail('INVITATION_NOT_FOUND')
  audit(params.id, ['revokedAt'])
})

async function letterFrom(db: Db, { organizationId, personId }: Caller) {
  const [organization, inviter] = await Promise.all([
    db.first(organizationOf),
    db.first(memberById, personId),
  ])
  return { organizationId, organizationName: organization!.name, inviterName: inviter?.name ?? null }
}
