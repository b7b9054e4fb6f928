import { expect, it } from 'vitest'
import { permissions } from '#contract/permissions.ts'
import { findIn } from '#tests/support/elements.ts'
import { permissionGroups, shareOf, withGroup } from './permission-groups.ts'

it('puts every permission into exactly one group', () => {
  const grouped = permissionGroups.flatMap(group => group.permissions)
  expect(grouped.toSorted()).toEqual([...permissions].toSorted())
  expect(permissionGroups.every(group => group.permissions.length > 0)).toBe(true)
})

it('separates the marketplace from the studio', () => {
  const of = (id: string) => findIn(permissionGroups, group => group.id === id).permissions
  expect(of('studio')).toContain('STUDIO_SHARE')
  expect(of('studio')).not.toContain('STUDIO_MARKETPLACE_VIEW')
  expect(of('marketplace')).toHaveLength(4)
})

it('knows whether all, some or none of a group are chosen', () => {
  expect(shareOf(['CRM_VIEW', 'CRM_EDIT'], new Set())).toBe('none')
  expect(shareOf(['CRM_VIEW', 'CRM_EDIT'], new Set(['CRM_EDIT', 'ORG_MANAGE']))).toBe('some')
  expect(shareOf(['CRM_VIEW', 'CRM_EDIT'], new Set(['CRM_EDIT', 'CRM_VIEW']))).toBe('all')
})

it('switches of a group only what the caller can give', () => {
  const givable = new Set(['CRM_VIEW', 'CRM_EDIT'] as const)
  const group = ['CRM_VIEW', 'CRM_EDIT', 'CRM_ERASE'] as const
  expect([...withGroup(new Set(['ORG_MANAGE']), group, true, givable)]).toEqual([
    'ORG_MANAGE',
    'CRM_VIEW',
    'CRM_EDIT',
  ])
  expect([...withGroup(new Set(['CRM_VIEW', 'CRM_ERASE']), group, false, givable)]).toEqual(['CRM_ERASE'])
})
