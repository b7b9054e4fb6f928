import { expect, it } from 'vitest'
import { entryInputOf, entrySearchOf, entrySortOf } from './entry-search.ts'

it('reads the address, and leaves out what it does not know', () => {
  expect(
    entrySearchOf({ search: 42, type: 'SKILL', category: 'NONE', featured: 'yes', sort: 'POPULAR' }),
  ).toEqual({
    search: '42',
    type: 'SKILL',
    sort: 'POPULAR',
  })
})

it('sorts a search by relevance, and else shows featured entries first', () => {
  expect(entrySortOf({})).toBe('FEATURED')
  expect(entrySortOf({ search: ' ' })).toBe('FEATURED')
  expect(entrySortOf({ search: 'plan' })).toBe('RELEVANCE')
  expect(entrySortOf({ search: 'plan', sort: 'RECENT' })).toBe('RECENT')
  expect(entryInputOf({ search: ' plan ', featured: true })).toEqual({
    query: { search: 'plan', featured: true, sort: 'RELEVANCE' },
  })
})
