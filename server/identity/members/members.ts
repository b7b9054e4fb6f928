import { getMember, listMembers, removeMember, updateMember } from '#contract/identity/organization.ts'
import type { Tx } from '#platform/data/db.ts'
import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { membershipChanged } from '../person.access.ts'
import { deleteProvisionedUser } from '../provisioning/scim-user.sql.ts'
import { assertMayActOn, assertMayAssign, resolveRole } from '../roles/role.rules.ts'
import { removeOwnViews } from '../views/view.sql.ts'
import {
  countedMembers,
  deleteUnitMemberships,
  listedMembers,
  lockMemberAndOwners,
  markRemoved,
  memberById,
  setRole,
} from './member.sql.ts'

export const list = query(listMembers, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const { role = null, roleId = null } = query
  const filters = { search: likePattern(query.search), role, roleId }
  const [items, count] = await Promise.all([
    db.rows(listedMembers({ ...filters, limit, offset }), { ...filters, limit, offset }),
    db.one(countedMembers(filters), filters),
  ])
  return { items, total: count.total, limit, offset }
})

export const get = query(getMember, async ({ db, params }) => {
  return (await db.first(memberById, { personId: params.personId })) ?? fail('MEMBER_NOT_FOUND')
})

export const update = command(updateMember, async ({ tx, caller, params, body, services, audit }) => {
  const newRole = await resolveRole(tx, body)
  const { member, isLastOwner } = await lockMember(tx, caller, params.personId)
  assertMayAssign(caller, newRole)
  if (isLastOwner && newRole.role !== 'OWNER') fail('LAST_OWNER')
  const isSame = member.role === newRole.role && member.custom_role_id === newRole.roleId
  if (!isSame) {
    await tx.run(setRole, { personId: member.person_id, role: newRole.role, roleId: newRole.roleId })
    await membershipChanged(tx, services, caller, member.person_id)
  }
  audit(member.person_id, isSame ? [] : ['role'])
  return tx.one(memberById, { personId: member.person_id })
})

export const remove = command(removeMember, async ({ tx, caller, params, services, audit }) => {
  const isLeaving = params.personId === caller.personId
  if (!isLeaving && !caller.permissions.has('ORG_MANAGE')) fail('PERMISSION_DENIED')
  const { member, isLastOwner } = await lockMember(tx, caller, params.personId)
  if (isLastOwner) fail('LAST_OWNER')
  await tx.run(deleteUnitMemberships, { personId: member.person_id })
  await tx.run(removeOwnViews, { personId: member.person_id })
  await tx.run(markRemoved, { personId: member.person_id })
  await tx.run(deleteProvisionedUser, { personId: member.person_id })
  await membershipChanged(tx, services, caller, member.person_id)
  audit(member.person_id, ['removedAt'])
})

/** Locks the member and the owners. Errors: MEMBER_NOT_FOUND, OWNER_ONLY, PERMISSION_DENIED. */
async function lockMember(tx: Tx, caller: Caller, personId: string) {
  const locked = await tx.rows(lockMemberAndOwners, { personId })
  const member = locked.find(row => row.person_id === personId) ?? fail('MEMBER_NOT_FOUND')
  if (personId !== caller.personId) assertMayActOn(caller, member.role)
  const isLastOwner = member.role === 'OWNER' && !locked.some(row => row.role === 'OWNER' && row !== member)
  return { member, isLastOwner }
}
