import { expect, test } from 'vitest'
import { changedFieldNames } from './changed-fields.ts'

const names = { is_open: 'isOpen', tags: 'tags', note: 'note' }

test('the API names of the fields that differ, in the order of the names', () => {
  const before = { is_open: true, tags: ['a'], note: null, updated_at: 1 }
  expect(changedFieldNames(names, before, { is_open: false, tags: ['a', 'b'], note: null })).toEqual([
    'isOpen',
    'tags',
  ])
  expect(changedFieldNames(['note', 'tags'], before, { note: 'new', tags: ['b'] })).toEqual(['note', 'tags'])
})

test('equal lists and objects, and a missing value and null, do not differ', () => {
  const before = { is_open: true, tags: [{ name: 'a', rate: 1 }], note: null }
  expect(changedFieldNames(names, before, { is_open: true, tags: [{ rate: 1, name: 'a' }] })).toEqual([])
})

test('a new object has the fields with a value', () => {
  expect(changedFieldNames(names, null, { is_open: false, tags: [], note: null })).toEqual(['isOpen', 'tags'])
})
