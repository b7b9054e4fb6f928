import { afterEach, expect, it, vi } from 'vitest'
import { keepPosition, recentPosition } from './stream-position.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => stored.set(name, value),
  removeItem: (name: string) => stored.delete(name),
})
afterEach(() => stored.clear())

it('a stream goes on where it was left within ten minutes, each stream at its own position', () => {
  keepPosition('patio:p:a', '61.0', 0)
  keepPosition('patio:p:b', '7.2', 1_000)
  expect(recentPosition('patio:p:a', 599_999)).toBe('61.0')
  expect(recentPosition('patio:p:b', 599_999)).toBe('7.2')
  expect(recentPosition('patio:p:a', 600_000)).toBeUndefined()
  expect(recentPosition('patio:p:c', 0)).toBeUndefined()
})

it('forgets positions that are too old', () => {
  keepPosition('patio:p:a', '61.0', 0)
  keepPosition('patio:p:b', '7.2', 700_000)
  expect([...stored.values()].join()).not.toContain('61.0')
})
