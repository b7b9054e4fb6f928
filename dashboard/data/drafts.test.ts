import { expect, it } from 'vitest'
import { draftKeyOf, withoutSecrets } from './drafts.rules.ts'

it('never keeps secrets', () => {
  const values = {
    name: 'Ada',
    code: 'P-1',
    password: 'x',
    newPassword: 'x',
    apiKey: 'x',
    webhookSecret: 'x',
    token: 'x',
  }
  expect(withoutSecrets(values)).toEqual({ name: 'Ada', code: 'P-1' })
})

it('has a draft for each person, organization, operation and object', () => {
  const operation = { method: 'PATCH', area: 'crm', path: '/leads/:id' }
  const keys = [
    draftKeyOf('p1', 'o1', operation, 'a'),
    draftKeyOf('p2', 'o1', operation, 'a'),
    draftKeyOf('p1', 'o2', operation, 'a'),
    draftKeyOf('p1', 'o1', operation, 'b'),
    draftKeyOf('p1', 'o1', { ...operation, method: 'POST' }, 'a'),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})
