import { listRoles } from '#contract/identity/roles.ts'
import { builtInRoles } from '#contract/permissions.ts'
import { useOrganization } from '../data/organization.tsx'
import { useOwnOrganizations } from '../data/own-organizations.ts'
import { useList } from '../data/read.ts'
import { useWords } from '../words/words.ts'
import { roleTexts } from './role.words.ts'
import { mayGive, permissionsOf, roleKey } from './role-change.ts'

/** The roles that the caller may give, as options of a choice, and the custom roles of the organization. */
export function useRoles() {
  const names = useWords(roleTexts)
  const { id, caller } = useOrganization()
  const isOwner = useOwnOrganizations().some(own => own.id === id && own.role === 'OWNER')
  const custom = useList(listRoles, { query: { limit: 100 } })
  const all = [
    ...builtInRoles.map(role => ({ role, roleId: null, name: names[role] })),
    ...custom.items.map(({ id, name }) => ({ role: 'CUSTOM' as const, roleId: id, name })),
  ]
  const { permissions } = caller
  return {
    customRoles: custom.items,
    options: all
      .filter(role => mayGive({ permissions, isOwner }, role, permissionsOf(role, custom.items)))
      .map(role => ({ value: roleKey(role), label: role.name })),
    nameOf: (role: { role: keyof typeof names; roleName?: string | null }) =>
      role.role === 'CUSTOM' ? (role.roleName ?? names.CUSTOM) : names[role.role],
  }
}
