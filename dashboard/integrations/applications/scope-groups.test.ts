import { expect, test } from 'vitest'
import { scopes } from '#contract/permissions.ts'
import { groupsOf, scopeGroups } from './scope-groups.ts'

test('every scope is in one group, and an application shows the groups that it has scopes of', () => {
  expect(scopeGroups.flatMap(group => group.scopes).toSorted()).toEqual([...scopes].toSorted())
  expect(groupsOf(['billing:refund', 'crm:leads:read', 'crm:invoices:read'])).toEqual([
    { id: 'crm', scopes: ['crm:leads:read'] },
    { id: 'billing', scopes: ['crm:invoices:read', 'billing:refund'] },
  ])
})
