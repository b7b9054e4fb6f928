import type { Role } from '#contract/identity/roles.ts'
import type { Permission } from '#contract/permissions.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

const fields = 'id, name, permissions, created_at as "createdAt", updated_at as "updatedAt"'
const role = `select ${fields} from role r where r.organization_id = $organization`

export const listedRoles = sql<Role, { limit: number; offset: number }>(
  `${role} order by lower(r.name), r.id limit $limit offset $offset`,
)
export const countedRoles = sql<{ total: number }>(
  'select count(*) as total from role r where r.organization_id = $organization',
)
export const roleById = sql<Role, { id: string }>(`${role} and r.id = $id`)
export const lockRole = sql<Role, { id: string }>(`${role} and r.id = $id for no key update`)
/** Prevents the deletion of this role until the transaction ends. */
export const shareLockRole = sql<Role, { id: string }>(`${role} and r.id = $id for key share`)

/** No row if the name is taken. */
export const insertRole = sql<Role, { id: string; name: string; permissions: Permission[] }>(`
  ${insertInto('role', 'id, name, permissions')}
  on conflict (organization_id, lower(name)) do nothing
  returning ${fields}
`)
/** Violates role_name if the name is taken. */
export const setRoleFields = sql<Role, { id: string; name: string; permissions: Permission[] }>(`
  update role r set name = $name, permissions = $permissions, updated_at = now()
  where r.organization_id = $organization and r.id = $id
  returning ${fields}
`)

/** Closed and expired invitations do not prevent the deletion of a role. */
export const deleteClosedInvitations = sql<never, { roleId: string }>(`
  delete from invitation i where i.organization_id = $organization and i.custom_role_id = $roleId
    and (i.accepted_at is not null or i.revoked_at is not null or i.expires_at <= now())
`)
/** Violates a foreign key while a member or an open invitation has the role. */
export const removeRole = sql<never, { id: string }>(`
  delete from role r where r.organization_id = $organization and r.id = $id
`)
