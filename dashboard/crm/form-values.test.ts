import { expect, it } from 'vitest'
import { changedFields, filledFields } from './form-values.ts'

const names = ['email', 'city'] as const

it('creates with what is filled, without spaces around it', () => {
  expect(filledFields({ email: ' ada@example.test ', city: '  ', name: 'Ada' }, names)).toEqual({
    email: 'ada@example.test',
  })
})

it('updates only what differs, and clears what was emptied', () => {
  const current = { email: 'ada@example.test', city: 'Bilbao' }
  expect(changedFields({ email: 'ada@example.test ', city: 'Bilbao' }, current, names)).toEqual({})
  expect(changedFields({ email: '', city: 'Vitoria' }, current, names)).toEqual({
    email: null,
    city: 'Vitoria',
  })
  expect(changedFields({ email: '', city: '' }, { email: null, city: null }, names)).toEqual({})
})
