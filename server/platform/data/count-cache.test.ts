import { expect, it } from 'vitest'
import { cachedCountNow, openCountCache } from './count-cache.ts'

it('evicts the least recently used', () => {
  const counts = openCountCache(2)
  counts.set('a', { generation: 1, count: 1 })
  counts.set('b', { generation: 1, count: 2 })
  counts.get('a')
  counts.set('c', { generation: 1, count: 3 })
  expect(['a', 'b', 'c'].map(key => counts.get(key)?.count)).toEqual([1, undefined, 3])
})

it('returns a count of the same generation, and of a later one only that it is still beyond the bound', () => {
  expect(cachedCountNow(undefined, 5, 10)).toBeUndefined()
  expect(cachedCountNow({ generation: 5, count: 7 }, 5, 10)).toBe(7)
  expect(cachedCountNow({ generation: 5, count: 7 }, 6, 10)).toBeUndefined()
  expect(cachedCountNow({ generation: 5, count: 14 }, 8, 10)).toBe(11)
  expect(cachedCountNow({ generation: 5, count: 14 }, 9, 10)).toBeUndefined()
  expect(cachedCountNow({ generation: 5, count: 7, until: 100 }, 5, 10, 99)).toBe(7)
  expect(cachedCountNow({ generation: 5, count: 7, until: 100 }, 5, 10, 100)).toBeUndefined()
  // counted by a statement that saw more than the one that asks
  expect(cachedCountNow({ generation: 6, count: 7 }, 5, 10)).toBeUndefined()
})
