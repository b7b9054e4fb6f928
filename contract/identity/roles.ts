import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { permissions } from '../permissions.ts'
import { Id, Name, OneOf, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const Permission = OneOf(permissions)
const area = 'org'
const auth = { session: { permission: 'ORG_MANAGE' } } as const
const Permissions = Type.Array(OneOf(permissions), { uniqueItems: true, maxItems: permissions.length })

export const Role = Type.Object({
  id: Id,
  name: Type.String(),
  permissions: Type.Array(OneOf(permissions)),
  createdAt: Time,
  updatedAt: Time,
})
export type Role = Static<typeof Role>

export const listRoles = operation('GET /roles', {
  area,
  summary: 'List the custom roles, by name',
  description: 'OWNER, ADMIN and MEMBER always exist and are not listed.',
  auth: { session: { permission: null } },
  query: pageQuery,
  reply: Page(Role),
})

export const createRole = operation('POST /roles', {
  announces: { event: 'role.changed', change: 'created' },
  area,
  summary: 'Create a custom role',
  description: 'People can give a role only the permissions that they have.',
  auth,
  body: { name: Name(limits.roleName), permissions: Permissions },
  status: 201,
  reply: Role,
  errors: ['NAME_TAKEN'],
})

export const getRole = operation('GET /roles/:id', {
  area,
  summary: 'Get a custom role',
  auth: { session: { permission: null } },
  params: { id: Id },
  reply: Role,
  errors: ['ROLE_NOT_FOUND'],
})

export const updateRole = operation('PATCH /roles/:id', {
  announces: { event: 'role.changed' },
  area,
  summary: 'Rename a custom role or replace its permissions',
  description: 'Takes effect for every member with the role within two seconds on every process.',
  auth,
  params: { id: Id },
  body: { name: Type.Optional(Name(limits.roleName)), permissions: Type.Optional(Permissions) },
  reply: Role,
  errors: ['ROLE_NOT_FOUND', 'NAME_TAKEN'],
})

export const deleteRole = operation('DELETE /roles/:id', {
  announces: { event: 'role.changed', change: 'removed' },
  area,
  summary: 'Delete a custom role that no member and no open invitation uses',
  auth,
  params: { id: Id },
  errors: ['ROLE_NOT_FOUND', 'ROLE_IN_USE'],
})
