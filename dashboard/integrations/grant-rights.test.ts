import { expect, test } from 'vitest'
import type { Caller } from '../data/may.ts'
import { grantObstacleOf } from './grant-rights.rules.ts'

const principal = { id: 'mei', name: 'Mei', email: 'mei@example.com' }
const callerWith = (permissions: Caller['permissions'], person = principal, isAdministrator = false) => ({
  person,
  permissions,
  isAdministrator,
})
const application = { principal, scopes: ['crm:leads:read', 'crm:leads:write'] as const }

test('administrators may do everything; other people only as the principal, within their permissions (SCP-3)', () => {
  const other = { ...principal, id: 'jon' }
  expect(grantObstacleOf(callerWith([], other, true), application, ['billing:refund'])).toBeUndefined()
  expect(grantObstacleOf(callerWith(['CRM_VIEW', 'CRM_EDIT'], other), application)).toEqual({
    reason: 'principal',
  })
  expect(grantObstacleOf(callerWith(['CRM_VIEW', 'CRM_EDIT']), application)).toBeUndefined()
  expect(grantObstacleOf(callerWith(['CRM_VIEW']), application)).toEqual({
    reason: 'permissions',
    missing: ['CRM_EDIT'],
  })
})

test('events count with the scopes of their content, and a critical scope is for administrators alone', () => {
  const mei = callerWith(['CRM_VIEW', 'CRM_EDIT', 'CRM_NOTES'])
  expect(grantObstacleOf(mei, application, ['crm:invoices:read'])).toEqual({
    reason: 'permissions',
    missing: ['BILLING_VIEW'],
  })
  const critical = { principal, scopes: ['crm:leads:read:notes'] as const }
  expect(grantObstacleOf(mei, critical)).toEqual({ reason: 'critical' })
})
