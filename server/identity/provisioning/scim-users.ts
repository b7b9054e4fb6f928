import type { Invitation } from '#contract/identity/invitations.ts'
import { builtInRoles } from '#contract/permissions.ts'
import type { CrossTenantTx, Db, Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import type { LeasedMail } from '#platform/jobs/mail-queue.sql.ts'
import { firstOf } from '#platform/required.ts'
import { accountByEmail, upsertInvitation } from '../invitations/invitation.sql.ts'
import { newSecret, queueInvitationMail, sendInvitationMail } from '../invitations/invitation-mail.ts'
import {
  deleteUnitMemberships,
  insertMembership,
  lockMemberAndOwners,
  markRemoved,
  setRole,
} from '../members/member.sql.ts'
import { mailLanguageOf } from '../person/person.sql.ts'
import { membershipChanged } from '../person.access.ts'
import { type AssignedRole, assertMayActOn, assertMayAssign } from '../roles/role.rules.ts'
import { shareLockRole } from '../roles/role.sql.ts'
import { newPerson } from '../sign-in/sign-in.sql.ts'
import { removeOwnViews } from '../views/view.sql.ts'
import { restoreRetainedUnits } from './retained-units.ts'
import { showList, showUser } from './scim.json.ts'
import { changeByScim, type ScimChange, type ScimRequest } from './scim-change.ts'
import { refuseInput, refuseUnknown, ScimError } from './scim-error.ts'
import { type Filter, nameOf, type UserChange } from './scim-input.ts'
import {
  countedUsers,
  deleteProvisionedUser,
  insertWaitingMembership,
  keepForUser,
  listedUsers,
  lockUserAndOwners,
  revokeInvitationTo,
  type ScimUserRow,
  setInvitedRole,
  setMemberName,
  shareLockRoleByName,
  unitIdsOfMember,
  unitsOfUsers,
  upsertProvisionedUser,
  userByEmail,
  userByExternalId,
  userById,
} from './scim-user.sql.ts'

type Page = { startIndex: number; count: number }
/** With an invitation whose mail is sent after the commit. */
type UserResult = ScimChange & { invitation?: Invitation; mail?: LeasedMail }

/** Lists users by id, or finds one (SCM-5). Error: invalidFilter. */
export async function listUsers({ caller, services }: ScimRequest, filter: Filter | undefined, page: Page) {
  const db = services.database.of(caller.organizationId)
  if (filter) {
    const found = await findUser(db, filter)
    const shown = found ? await showUsers(db, services.publicUrl, [found]) : []
    return showList(page.startIndex === 1 && page.count > 0 ? shown : [], shown.length, page.startIndex)
  }
  const [rows, total] = await Promise.all([
    db.rows(listedUsers, { limit: page.count, offset: page.startIndex - 1 }),
    db.one(countedUsers),
  ])
  return showList(await showUsers(db, services.publicUrl, rows), total.total, page.startIndex)
}

/** Error: 404. */
export async function getUser({ caller, services }: Pick<ScimRequest, 'caller' | 'services'>, id: string) {
  const db = services.database.of(caller.organizationId)
  const row = (await db.first(userById, { id })) ?? refuseUnknown()
  return firstOf(await showUsers(db, services.publicUrl, [row]))
}

/**
 * Makes a person a member at once if they have no account; otherwise invites them (SCM-6). Errors: uniqueness,
 * invalidValue, PERMISSION_DENIED, OWNER_ONLY.
 */
export async function createUser(request: ScimRequest, change: UserChange) {
  const { caller, services } = request
  const email = change.userName ?? refuseInput('invalidValue', 'userName is required.')
  const name = nameOf(change, { given_name: null, family_name: null }) ?? firstOf(email.split('@'))
  const { externalId = null, givenName = null, familyName = null, active = true } = change
  const result = await changeByScim(request, async (tx, crossTenant): Promise<UserResult> => {
    const role = await assignableRole(tx, caller, change.role ?? 'MEMBER')
    if (await tx.first(userByEmail, { email }))
      throw new ScimError(409, 'There is a user with this userName.', 'uniqueness')
    const account = await crossTenant.first(accountByEmail, { email })
    const id = account?.id ?? newId()
    if (account) {
      // an account belongs to its person, who decides where to be a member
      await tx.run(insertWaitingMembership, { personId: id, name, email })
      await tx.run(setMemberName, { personId: id, name })
    } else {
      // nobody can use this account before its address is proven: it has no password and no passkey
      await crossTenant.first(newPerson, {
        id,
        name,
        email,
        verified: true,
        credentialId: newId(),
        hash: null,
      })
      await tx.first(insertMembership, { personId: id, role: role.role, roleId: role.roleId, name, email })
      await membershipChanged(tx, services, caller, id)
      emit(tx, caller, 'member.changed', { ids: [id], createdIds: [id] })
    }
    await tx.run(upsertProvisionedUser, {
      personId: id,
      externalId,
      givenName,
      familyName,
      hasJoined: !account,
    })
    await tx.run(keepForUser, {
      personId: id,
      isActive: active,
      role: role.role,
      roleId: role.roleId,
      unitIds: [],
    })
    const created = { subject: id, changed: ['active', 'externalId', 'name', 'role'] }
    if (account)
      return active ? { ...created, ...(await invite(tx, crossTenant, request, email, name, role)) } : created
    if (!active) await deactivate(tx, request, await tx.one(userById, { id }))
    return created
  })
  await mailIfInvited(request, result)
  return getUser(request, result.subject)
}

/**
 * Changes a user (SCM-7 to SCM-10). Errors: 404, uniqueness, mutability, invalidValue, PERMISSION_DENIED,
 * OWNER_ONLY, LAST_OWNER.
 */
export async function changeUser(request: ScimRequest, id: string, change: UserChange) {
  const { caller } = request
  const result = await changeByScim(request, async (tx, crossTenant): Promise<UserResult> => {
    await tx.rows(lockUserAndOwners, { id })
    const user = (await tx.first(userById, { id })) ?? refuseUnknown()
    const changed: string[] = []
    if (change.userName !== undefined && change.userName !== user.email)
      throw new ScimError(
        400,
        'userName is the sign-in address of an account, which only its person can change.',
        'mutability',
      )
    changed.push(...(await changeNames(tx, user, change)))
    let moved = user
    if (change.role !== undefined && (await changeRole(tx, request, user, change.role))) {
      changed.push('role')
      moved = await tx.one(userById, { id })
    }
    const { active } = change
    if (active === undefined || active === user.is_active) {
      if (changed.length > 0 && user.is_member) emit(tx, caller, 'member.changed', { ids: [id] })
      return { subject: id, changed }
    }
    changed.push('active')
    if (!active) {
      await deactivate(tx, request, moved)
      return { subject: id, changed }
    }
    return { subject: id, changed, ...(await reactivate(tx, crossTenant, request, moved)) }
  })
  await mailIfInvited(request, result)
  return getUser(request, id)
}

/** Removes the membership and what is kept for a return. Errors: 404, OWNER_ONLY, PERMISSION_DENIED, LAST_OWNER. */
export async function removeUser(request: ScimRequest, id: string): Promise<void> {
  const { caller } = request
  await changeByScim(request, async tx => {
    await tx.rows(lockUserAndOwners, { id })
    const user = (await tx.first(userById, { id })) ?? refuseUnknown()
    if (user.is_member) await endMembership(tx, request, user)
    else await revokeInvitation(tx, caller, user)
    await tx.run(removeOwnViews, { personId: id })
    await tx.run(deleteProvisionedUser, { personId: id })
    return { subject: id, changed: ['removedAt'] }
  })
}

function findUser(db: Db, { attribute, value }: Filter): Promise<ScimUserRow | undefined> {
  if (attribute === 'id') return db.first(userById, { id: value })
  if (attribute === 'externalid') return db.first(userByExternalId, { externalId: value })
  if (attribute === 'username' || attribute === 'emails' || attribute === 'emails.value')
    return db.first(userByEmail, { email: value.toLowerCase() })
  return refuseInput('invalidFilter', 'Users are found by userName, externalId, emails.value or id.')
}

async function showUsers(db: Db, publicUrl: string, rows: readonly ScimUserRow[]) {
  const units = await db.rows(unitsOfUsers, { userIds: rows.map(({ id }) => id) })
  return rows.map(row => showUser(publicUrl, row, units))
}

async function changeNames(tx: Tx, user: ScimUserRow, change: UserChange): Promise<string[]> {
  const { externalId = user.external_id, givenName = user.given_name, familyName = user.family_name } = change
  const name = nameOf(change, user) ?? user.name
  const isNamedAnew = name !== user.name || givenName !== user.given_name || familyName !== user.family_name
  if (isNamedAnew || externalId !== user.external_id)
    await tx.run(upsertProvisionedUser, {
      personId: user.id,
      externalId,
      givenName,
      familyName,
      hasJoined: user.has_joined,
    })
  if (name !== user.name) await tx.run(setMemberName, { personId: user.id, name })
  return [...(isNamedAnew ? ['name'] : []), ...(externalId === user.external_id ? [] : ['externalId'])]
}

/** True if the role changed. */
async function changeRole(
  tx: Tx,
  request: ScimRequest,
  user: ScimUserRow,
  roleName: string,
): Promise<boolean> {
  const { caller, services } = request
  if (roleName.toLowerCase() === (user.role_name ?? user.role).toLowerCase()) return false
  const role = await assignableRole(tx, caller, roleName)
  if (user.is_member) {
    await assertMayChange(tx, caller, user.id)
    await tx.run(setRole, { personId: user.id, role: role.role, roleId: role.roleId })
    await membershipChanged(tx, services, caller, user.id)
  } else {
    assertMayActOn(caller, user.role)
    await tx.run(keepForUser, {
      personId: user.id,
      isActive: user.is_active,
      role: role.role,
      roleId: role.roleId,
      unitIds: user.retained_unit_ids,
    })
    // the open invitation would give the former role
    if (user.is_active)
      await tx.run(setInvitedRole, { email: user.email, role: role.role, roleId: role.roleId })
  }
  return true
}

/** A person without a membership keeps role and units; sessions and tokens have no access at once (SCM-9). */
async function deactivate(tx: Tx, request: ScimRequest, user: ScimUserRow): Promise<void> {
  const { caller } = request
  if (!user.is_member) {
    await tx.run(keepForUser, {
      personId: user.id,
      isActive: false,
      role: user.role,
      roleId: user.role_id,
      unitIds: user.retained_unit_ids,
    })
    await revokeInvitation(tx, caller, user)
    return
  }
  const units = await tx.rows(unitIdsOfMember, { personId: user.id })
  await endMembership(tx, request, user)
  await tx.run(upsertProvisionedUser, {
    personId: user.id,
    externalId: user.external_id,
    givenName: user.given_name,
    familyName: user.family_name,
    hasJoined: true,
  })
  // nobody becomes an owner without an owner who decides it
  const role = user.role === 'OWNER' ? 'MEMBER' : user.role
  await tx.run(keepForUser, {
    personId: user.id,
    isActive: false,
    role,
    roleId: user.role_id,
    unitIds: units.map(({ id }) => id),
  })
}

async function endMembership(tx: Tx, { caller, services }: ScimRequest, { id }: ScimUserRow): Promise<void> {
  await assertMayChange(tx, caller, id)
  await tx.run(deleteUnitMemberships, { personId: id })
  await tx.run(markRemoved, { personId: id })
  await membershipChanged(tx, services, caller, id)
  emit(tx, caller, 'member.changed', { ids: [id], removedIds: [id] })
}

/** A person who was a member is one again; another is invited again. */
async function reactivate(tx: Tx, crossTenant: CrossTenantTx, request: ScimRequest, user: ScimUserRow) {
  const { caller, services } = request
  const role = await retainedRole(tx, user)
  assertMayAssign(caller, role)
  if (!user.has_joined) {
    await tx.run(keepForUser, {
      personId: user.id,
      isActive: true,
      role: role.role,
      roleId: role.roleId,
      unitIds: user.retained_unit_ids,
    })
    return invite(tx, crossTenant, request, user.email, user.name, role)
  }
  await tx.first(insertMembership, {
    personId: user.id,
    role: role.role,
    roleId: role.roleId,
    name: user.name,
    email: user.email,
  })
  await restoreRetainedUnits(tx, user.id)
  await membershipChanged(tx, services, caller, user.id)
  emit(tx, caller, 'member.changed', { ids: [user.id], createdIds: [user.id] })
  return {}
}

async function retainedRole(tx: Tx, { role, role_id }: ScimUserRow): Promise<AssignedRole> {
  if (role !== 'CUSTOM') return { role, roleId: null, permissions: null }
  const custom = role_id === null ? undefined : await tx.first(shareLockRole, { id: role_id })
  if (custom) return { role, roleId: custom.id, permissions: custom.permissions }
  return { role: 'MEMBER', roleId: null, permissions: null }
}

/** Locks member and owners. Errors: OWNER_ONLY, PERMISSION_DENIED, LAST_OWNER. */
async function assertMayChange(tx: Tx, caller: Caller, id: string): Promise<void> {
  const locked = await tx.rows(lockMemberAndOwners, { personId: id })
  const member = locked.find(({ person_id }) => person_id === id) ?? refuseUnknown()
  assertMayActOn(caller, member.role)
  if (member.role === 'OWNER' && !locked.some(row => row.role === 'OWNER' && row !== member))
    fail('LAST_OWNER')
}

/**
 * A role by its name, which the creator of the token may assign. No token makes an owner. Errors: OWNER_ONLY,
 * PERMISSION_DENIED, invalidValue.
 */
async function assignableRole(tx: Tx, caller: Caller, name: string): Promise<AssignedRole> {
  const builtIn = builtInRoles.find(role => role === name.toUpperCase())
  if (builtIn === 'OWNER') fail('OWNER_ONLY')
  const role = builtIn ? { role: builtIn, roleId: null, permissions: null } : await customRole(tx, name)
  assertMayAssign(caller, role)
  return role
}

async function customRole(tx: Tx, name: string): Promise<AssignedRole> {
  const role = await tx.first(shareLockRoleByName, { name })
  if (!role) refuseInput('invalidValue', 'There is no role with this name in this organization.')
  return { role: 'CUSTOM', roleId: role.id, permissions: role.permissions }
}

async function invite(
  tx: Tx,
  crossTenant: CrossTenantTx,
  { caller, services }: ScimRequest,
  email: string,
  name: string,
  role: AssignedRole,
) {
  const link = newSecret()
  const id = newId()
  const invitation = await tx.one(upsertInvitation, {
    id,
    email,
    name,
    role: role.role,
    roleId: role.roleId,
    secretHash: link.hash,
    invitedBy: caller.personId,
  })
  emit(tx, caller, 'invitation.changed', { ids: [id], createdIds: [id] })
  const language = await mailLanguageOf({ crossTenant }, caller.personId)
  const sender = { inviterId: caller.personId, language }
  const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
  return { invitation, mail }
}

async function revokeInvitation(tx: Tx, caller: Caller, user: ScimUserRow): Promise<void> {
  const revoked = await tx.first(revokeInvitationTo, { email: user.email })
  if (revoked) emit(tx, caller, 'invitation.changed', { ids: [revoked.id], removedIds: [revoked.id] })
}

async function mailIfInvited({ services }: ScimRequest, { invitation, mail }: UserResult): Promise<void> {
  if (invitation && mail) await sendInvitationMail(services, invitation, mail)
}
