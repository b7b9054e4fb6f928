import { createRole, deleteRole, getRole, listRoles, updateRole } from '#contract/identity/roles.ts'
import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { membershipChanged } from '../person.access.ts'
import { assertHasPermissions, assertNotBuiltInName, failIfNameTaken, isSameSet } from './role.rules.ts'
import {
  countedRoles,
  deleteClosedInvitations,
  insertRole,
  listedRoles,
  lockRole,
  removeRole,
  roleById,
  setRoleFields,
} from './role.sql.ts'

export const list = query(listRoles, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const [items, count] = await Promise.all([db.rows(listedRoles, { limit, offset }), db.one(countedRoles)])
  return { items, total: count.total, limit, offset }
})

export const get = query(getRole, async ({ db, params }) => {
  return (await db.first(roleById, { id: params.id })) ?? fail('ROLE_NOT_FOUND')
})

export const create = command(createRole, async ({ tx, caller, body, audit }) => {
  const name = body.name.trim()
  assertHasPermissions(caller, body.permissions)
  assertNotBuiltInName(name)
  const role =
    (await tx.first(insertRole, { id: newId(), name, permissions: body.permissions })) ?? fail('NAME_TAKEN')
  audit(role.id, ['name', 'permissions'])
  return role
})

export const update = command(updateRole, async ({ tx, caller, params, body, services, audit }) => {
  const role = (await tx.first(lockRole, { id: params.id })) ?? fail('ROLE_NOT_FOUND')
  const { permissions = role.permissions } = body
  const name = body.name?.trim() ?? role.name
  // a person without a permission may still rename a role that has it, or remove it from the role
  assertHasPermissions(
    caller,
    permissions.filter(permission => !role.permissions.includes(permission)),
  )
  if (name !== role.name) assertNotBuiltInName(name)
  const updated = await tx
    .one(setRoleFields, { id: role.id, name, permissions })
    .catch(failIfNameTaken('role_name'))
  const isSame = isSameSet(permissions, role.permissions)
  if (!isSame) await membershipChanged(tx, services, caller, null)
  audit(role.id, [...(name === role.name ? [] : ['name']), ...(isSame ? [] : ['permissions'])])
  return updated
})

export const remove = command(deleteRole, async ({ tx, params, audit }) => {
  const role = (await tx.first(lockRole, { id: params.id })) ?? fail('ROLE_NOT_FOUND')
  await tx.run(deleteClosedInvitations, { roleId: role.id })
  await tx
    .run(removeRole, { id: role.id })
    .catch(error => (violated(error) ? fail('ROLE_IN_USE') : Promise.reject(error)))
  audit(role.id)
})
