import { expect, test } from 'vitest'
import type { AssetItem } from '#contract/studio/assets.ts'
import { type CachedPages, withAssets, withoutAssets } from './filing.rules.ts'

const asset = (id: string) => ({ id }) as AssetItem
const list = (...pages: string[][]): CachedPages => ({
  pages: pages.map(ids => ({ items: ids.map(asset), total: pages.flat().length })),
})
const idsOf = (found: CachedPages | undefined) =>
  found?.pages.map(({ items, total }) => [items.map(({ id }) => id).join(''), total])

test('assets leave a list on each of its pages, and its total follows', () => {
  expect(idsOf(withoutAssets(list(['a', 'b'], ['c']), new Set(['a', 'c', 'x'])))).toEqual([
    ['b', 1],
    ['', 1],
  ])
  const same = list(['a'])
  expect(withoutAssets(same, new Set(['x']))).toBe(same)
})

test('assets come to the front of a list, but not twice', () => {
  expect(idsOf(withAssets(list(['a'], ['b']), [asset('c'), asset('b')]))).toEqual([
    ['ca', 3],
    ['b', 3],
  ])
  expect(withAssets(undefined, [asset('a')])).toBeUndefined()
})
