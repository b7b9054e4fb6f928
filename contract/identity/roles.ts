import Type from 'typebox'
import { limits } from '../limits.ts'
import { endpoint } from '../operation.ts'
import { permissions } from '../permissions.ts'
import { Id, Name, OneOf, Page, pageQuery, Time } from '../shapes.ts'

export const Permission = OneOf(permissions)
const area = 'org'
const doors = { people: { permission: 'ORG_MANAGE' } } as const
const Permissions = Type.Array(OneOf(permissions), { uniqueItems: true, maxItems: permissions.length })

export const Role = Type.Object({
  id: Id,
  name: Type.String(),
  permissions: Type.Array(OneOf(permissions)),
  createdAt: Time,
  updatedAt: Time,
})

export const listRoles = endpoint('GET /roles', {
  area,
  summary: 'List the custom roles, by name',
  description: 'OWNER, ADMIN and MEMBER always exist and are not listed.',
  doors: { people: { permission: null } },
  query: pageQuery,
  reply: Page(Role),
})

export const createRole = endpoint('POST /roles', {
  area,
  summary: 'Create a custom role',
  description: 'Nobody can put a permission in a role that they do not have themselves.',
  doors,
  body: { name: Name(limits.roleName), permissions: Permissions },
  status: 201,
  reply: Role,
  errors: ['NAME_TAKEN'],
})

export const getRole = endpoint('GET /roles/:id', {
  area,
  summary: 'Get a custom role',
  doors: { people: { permission: null } },
  params: { id: Id },
  reply: Role,
  errors: ['ROLE_NOT_FOUND'],
})

export const updateRole = endpoint('PATCH /roles/:id', {
  area,
  summary: 'Rename a custom role or replace its permissions',
  description: 'Takes effect for everybody who has the role, within two seconds on every process.',
  doors,
  params: { id: Id },
  body: { name: Type.Optional(Name(limits.roleName)), permissions: Type.Optional(Permissions) },
  reply: Role,
  errors: ['ROLE_NOT_FOUND', 'NAME_TAKEN'],
})

export const deleteRole = endpoint('DELETE /roles/:id', {
  area,
  summary: 'Delete a custom role that no member and no open invitation has',
  doors,
  params: { id: Id },
  errors: ['ROLE_NOT_FOUND', 'ROLE_IN_USE'],
})
