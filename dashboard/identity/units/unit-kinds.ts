import {
  addDepartmentMember,
  addGroupMember,
  addWorkspaceMember,
  createDepartment,
  createGroup,
  createWorkspace,
  deleteDepartment,
  deleteGroup,
  deleteWorkspace,
  listDepartmentMembers,
  listDepartments,
  listGroupMembers,
  listGroups,
  listWorkspaceMembers,
  listWorkspaces,
  removeDepartmentMember,
  removeGroupMember,
  removeWorkspaceMember,
  renameDepartment,
  renameGroup,
  renameWorkspace,
  type UnitEndpoints,
  type UnitKind,
} from '#contract/identity/units.ts'
import type { Reply } from '#contract/route.ts'

export type Unit = Reply<UnitEndpoints['list']>['items'][number]
export type UnitMember = Reply<UnitEndpoints['listMembers']>['items'][number]
/** The operations of one kind of unit. */
export type UnitOperations = Omit<UnitEndpoints, 'kind'>

/** The operations of each kind of unit; the three kinds differ only in name. */
export const unitOperations: Readonly<Record<UnitKind, UnitOperations>> = {
  DEPARTMENT: {
    list: listDepartments,
    create: createDepartment,
    rename: renameDepartment,
    remove: deleteDepartment,
    listMembers: listDepartmentMembers,
    addMember: addDepartmentMember,
    removeMember: removeDepartmentMember,
  },
  WORKSPACE: {
    list: listWorkspaces,
    create: createWorkspace,
    rename: renameWorkspace,
    remove: deleteWorkspace,
    listMembers: listWorkspaceMembers,
    addMember: addWorkspaceMember,
    removeMember: removeWorkspaceMember,
  },
  GROUP: {
    list: listGroups,
    create: createGroup,
    rename: renameGroup,
    remove: deleteGroup,
    listMembers: listGroupMembers,
    addMember: addGroupMember,
    removeMember: removeGroupMember,
  },
}
export const unitKinds = Object.keys(unitOperations) as UnitKind[]
