import { expect, it } from 'vitest'
import { governedInputOf, governedSearchOf, ownerlessInputOf, peopleSearchOf } from './governed.rules.ts'

it('reads the address of the list', () => {
  expect(governedSearchOf({ search: 42, archived: true, open: 'a' })).toEqual({
    search: '42',
    archived: true,
    open: 'a',
  })
  expect(governedSearchOf({ archived: 'yes', open: 1, panel: 'agents' })).toEqual({})
  expect(governedSearchOf({ open: 'a', panel: 'agents' })).toEqual({ open: 'a', panel: 'agents' })
})

it('asks for the channels without an owner apart, with the same filters', () => {
  expect(governedInputOf({ search: ' sup ', open: 'a' })).toEqual({ query: { limit: 100, search: 'sup' } })
  expect(ownerlessInputOf({ archived: true })).toEqual({
    query: { limit: 100, archived: true, hasOwner: false },
  })
})

it('opens the people of a channel unless the address names another part', () => {
  expect(peopleSearchOf({ panel: 'agents' })).toEqual({ panel: 'agents' })
  expect(peopleSearchOf({ panel: 'members' })).toEqual({})
  expect(peopleSearchOf({ panel: 'other' })).toEqual({})
})
