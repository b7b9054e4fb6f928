import { expect, it } from 'vitest'
import { contractModules } from '#contract/modules.ts'
import { isOperation } from '#contract/operation.ts'
import { changingOperations } from '#contract/operation-lists.ts'
import { defined } from '#tests/support/elements.ts'
import {
  changesOf,
  fieldText,
  momentsOf,
  operationText,
  screenOfOperation,
  valueText,
} from './audit.rules.ts'
import { fieldTexts } from './field.words.ts'

it('says an operation in words', () => {
  expect(operationText('PATCH /api/org/roles/:id', 'en')).toBe('Change role')
  expect(operationText('PATCH /api/org', 'es')).toBe('Cambiar organización')
  expect(operationText('POST /api/billing/invoices/:id/issue', 'es')).toBe('Emitir factura')
  expect(operationText('PUT /api/org/groups/:id/members/:personId', 'en')).toBe('Add member')
  expect(operationText('create organization', 'en')).toBe('Create organization')
  expect(operationText('DELETE /api/studio/collections/:id/assets/:assetId', 'en')).toBe(
    'Remove asset from collection',
  )
  expect(operationText('POST /api/new-area/new-things', 'en')).toBeUndefined()
})

it('has words for every operation of the contract that changes something', () => {
  expect(changingOperations).toContain('PATCH /api/org/roles/:id')
  expect(changingOperations.filter(operation => operationText(operation, 'es') === undefined)).toEqual([])
})

it('has words for every field that an operation replaces', () => {
  const replacing = contractModules
    .flatMap(module => Object.values(module))
    .filter(isOperation)
    .filter(({ method }) => method === 'PATCH' || method === 'PUT')
  const fields = replacing.flatMap(({ body = {} }) =>
    'properties' in body ? Object.keys(body.properties as object) : [],
  )
  expect(fields).toContain('signingReminders')
  expect(fields.filter(field => !(field in fieldTexts))).toEqual([])
})

it('says a field in words, also one with an id, and shows others as they are', () => {
  expect(fieldText('expiresAt', 'en')).toBe('expiry')
  expect(fieldText('members.cmwsybkblag571v1jc9p0dtfg', 'es')).toBe('miembros')
  expect(fieldText('newField', 'en')).toBe('newField')
})

it('compares the values before and after, field by field', () => {
  expect(
    changesOf({
      changed: ['applications'],
      detail: {
        applicationId: 'a1',
        before: { grantorId: 'p1', isMember: false },
        after: { grantorId: 'p1', isMember: true, capabilities: ['send'] },
      },
    }),
  ).toEqual({
    changes: [
      { field: 'isMember', before: false, after: true, hasValues: true },
      { field: 'capabilities', before: undefined, after: ['send'], hasValues: true },
      { field: 'applications', hasValues: false },
    ],
    others: [['applicationId', 'a1']],
  })
})

it('shows the state of something that was created or removed', () => {
  const removed = changesOf({ changed: [], detail: { before: { grantorId: 'p1' }, after: null } })
  expect(removed.changes).toEqual([{ field: 'grantorId', before: 'p1', after: undefined, hasValues: true }])
})

it('lists only the names of fields without values', () => {
  expect(changesOf({ changed: ['name', 'features'], detail: null })).toEqual({
    changes: [
      { field: 'name', hasValues: false },
      { field: 'features', hasValues: false },
    ],
    others: [],
  })
})

it('writes values as text', () => {
  const texts = { yes: 'Sí', no: 'No' }
  expect(
    [null, undefined, '', [], ['a', 'b'], true, 3, { a: 1 }].map(value => valueText(value, texts)),
  ).toEqual(['–', '–', '–', '–', 'a, b', 'Sí', '3', '{"a":1}'])
})

it('knows the screen of a subject', () => {
  expect(screenOfOperation('POST /api/org/groups')).toEqual({ screen: 'settings/units', query: 'kind=GROUP' })
  expect(screenOfOperation('POST /api/external/v1/leads/:id/convert')).toEqual({ screen: 'leads' })
  expect(screenOfOperation('POST /api/crm/leads/imports/:id/cancel')).toBeUndefined()
  expect(screenOfOperation('DELETE /api/auth/personal-tokens/:id')).toBeUndefined()
})

it('takes whole days of the calendar', () => {
  const { from, to } = momentsOf({ from: '2026-11-20', to: '2026-11-21' })
  expect(new Date(defined(to)).getTime() - new Date(defined(from)).getTime()).toBe(2 * 86_400_000 - 1)
  expect(new Date(defined(from)).getHours()).toBe(0)
  expect(momentsOf({})).toEqual({})
})
