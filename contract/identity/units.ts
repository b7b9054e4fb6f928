import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import type { unitKinds } from './organization.ts'

export type UnitKind = (typeof unitKinds)[number]

export const Unit = Type.Object({ id: Id, name: Type.String(), createdAt: Time, updatedAt: Time })
export type Unit = Static<typeof Unit>
export const UnitMember = Type.Object({
  personId: Id,
  name: Type.String(),
  email: Type.String(),
  addedAt: Time,
})
export type UnitMember = Static<typeof UnitMember>

/** The seven operations of one kind of unit. Departments, workspaces and groups differ only in name. */
function unitEndpoints<const Plural extends string>(kind: UnitKind, plural: Plural) {
  const noun = kind.toLowerCase()
  const area = 'org'
  const anyMember = { session: { permission: null } } as const
  const managers = { session: { permission: 'ORG_MANAGE' } } as const
  const params = { id: Id }
  const memberParams = { id: Id, personId: Id }
  return {
    kind,
    list: operation(`GET /${plural}`, {
      area,
      summary: `List the ${plural}, by name`,
      auth: anyMember,
      query: { ...pageQuery, search: Type.Optional(Text(limits.search, 1)) },
      reply: Page(Unit),
    }),
    create: operation(`POST /${plural}`, {
      area,
      announces: { event: 'unit.changed', change: 'created' },
      summary: `Create a ${noun}`,
      auth: managers,
      body: { name: Name(limits.unitName) },
      status: 201,
      reply: Unit,
      errors: ['NAME_TAKEN'],
    }),
    rename: operation(`PATCH /${plural}/:id`, {
      area,
      announces: { event: 'unit.changed' },
      summary: `Rename a ${noun}`,
      auth: managers,
      params,
      body: { name: Name(limits.unitName) },
      reply: Unit,
      errors: ['UNIT_NOT_FOUND', 'NAME_TAKEN'],
    }),
    remove: operation(`DELETE /${plural}/:id`, {
      area,
      announces: { event: 'unit.changed', change: 'removed' },
      summary: `Delete a ${noun}`,
      auth: managers,
      params,
      errors: ['UNIT_NOT_FOUND'],
    }),
    listMembers: operation(`GET /${plural}/:id/members`, {
      area,
      summary: `List the members of a ${noun}, by name`,
      auth: anyMember,
      params,
      query: pageQuery,
      reply: Page(UnitMember),
      errors: ['UNIT_NOT_FOUND'],
    }),
    addMember: operation(`PUT /${plural}/:id/members/:personId`, {
      area,
      announces: { event: 'unit.changed', id: 'id' },
      summary: `Add a member to a ${noun}`,
      description: 'Idempotent.',
      auth: managers,
      params: memberParams,
      errors: ['UNIT_NOT_FOUND', 'MEMBER_NOT_FOUND'],
    }),
    removeMember: operation(`DELETE /${plural}/:id/members/:personId`, {
      area,
      announces: { event: 'unit.changed', id: 'id' },
      summary: `Remove a member from a ${noun}`,
      description: 'Idempotent.',
      auth: managers,
      params: memberParams,
      errors: ['UNIT_NOT_FOUND', 'MEMBER_NOT_FOUND'],
    }),
  }
}
export type UnitEndpoints = ReturnType<typeof unitEndpoints>

const departments = unitEndpoints('DEPARTMENT', 'departments')
const workspaces = unitEndpoints('WORKSPACE', 'workspaces')
const groups = unitEndpoints('GROUP', 'groups')
export const units: readonly UnitEndpoints[] = [departments, workspaces, groups]

export const {
  list: listDepartments,
  create: createDepartment,
  rename: renameDepartment,
  remove: deleteDepartment,
  listMembers: listDepartmentMembers,
  addMember: addDepartmentMember,
  removeMember: removeDepartmentMember,
} = departments

export const {
  list: listWorkspaces,
  create: createWorkspace,
  rename: renameWorkspace,
  remove: deleteWorkspace,
  listMembers: listWorkspaceMembers,
  addMember: addWorkspaceMember,
  removeMember: removeWorkspaceMember,
} = workspaces

export const {
  list: listGroups,
  create: createGroup,
  rename: renameGroup,
  remove: deleteGroup,
  listMembers: listGroupMembers,
  addMember: addGroupMember,
  removeMember: removeGroupMember,
} = groups
