import { firstOf } from '#platform/required.ts'
import type { GroupMemberRow, ScimGroupRow } from './scim-group.sql.ts'
import type { ScimUserRow, UserGroupRow } from './scim-user.sql.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** A user of RFC 7643 section 4.1. */
export function showUser(publicUrl: string, row: ScimUserRow, groups: readonly UserGroupRow[]) {
  const location = `${publicUrl}/scim/v2/Users/${row.id}`
  return {
    schemas: [userSchema],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.email,
    displayName: row.name,
    name: {
      formatted: row.name,
      givenName: row.given_name ?? firstOf(row.name.split(' ')),
      familyName: row.family_name ?? row.name.split(' ').slice(1).join(' '),
    },
    active: row.is_active,
    emails: [{ value: row.email, type: 'work', primary: true }],
    roles: [{ value: row.role === 'CUSTOM' ? (row.role_name ?? 'MEMBER') : row.role, primary: true }],
    groups: groups
      .filter(({ user_id }) => user_id === row.id)
      .map(({ id, name }) => ({ value: id, display: name, type: 'direct' })),
    meta: { resourceType: 'User', created: row.created_at, location },
  }
}

/** A group of RFC 7643 section 4.2; without `members` where the request excludes them. */
export function showGroup(
  publicUrl: string,
  row: ScimGroupRow,
  members: readonly GroupMemberRow[] | undefined,
) {
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.name,
    ...(members && {
      members: members
        .filter(({ group_id }) => group_id === row.id)
        .map(({ id, name }) => ({
          value: id,
          display: name,
          type: 'User',
          $ref: `${publicUrl}/scim/v2/Users/${id}`,
        })),
    }),
    meta: {
      resourceType: 'Group',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${publicUrl}/scim/v2/Groups/${row.id}`,
    },
  }
}

/** A page of RFC 7644 section 3.4.2. */
export function showList(resources: readonly object[], totalResults: number, startIndex: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
