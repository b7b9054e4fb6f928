import { expect, test } from 'vitest'
import { areSameFilters } from './saved-views.rules.ts'

test('filters are compared without regard to their order', () => {
  expect(areSameFilters({ stage: 'Offer', type: 'SKILL' }, { type: 'SKILL', stage: 'Offer' })).toBe(true)
  expect(areSameFilters({ stage: 'Offer' }, {})).toBe(false)
})
