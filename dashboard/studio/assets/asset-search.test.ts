import { expect, test } from 'vitest'
import { assetInputOf, assetSearchOf, filteredHref } from './asset-search.ts'

test('the address is the state of the catalogue; unknown values are left out', () => {
  expect(assetSearchOf({ type: 'SKILL', status: 'GONE', tag: 7, open: 'a', search: '' })).toEqual({
    type: 'SKILL',
    tag: '7',
    open: 'a',
  })
  expect(filteredHref('acme', { tag: 'a b', type: 'PROMPT' })).toBe('/o/acme/studio?tag=a+b&type=PROMPT')
})

test('the newest changes come first, but the best matches of a search', () => {
  expect(assetInputOf({})).toEqual({ query: { orderBy: 'recent' } })
  expect(assetInputOf({ search: ' plan ' })).toEqual({ query: { search: 'plan' } })
  expect(assetInputOf({ search: 'plan', orderBy: 'name' })).toEqual({
    query: { search: 'plan', orderBy: 'name' },
  })
})
