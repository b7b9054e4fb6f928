import { expect, test } from 'vitest'
import { changeTo, columnIdOf, opportunityInputOf, placeOf, placesOf, sumsOf } from './opportunity.rules.ts'

test('amounts are added for each currency alone', () => {
  expect(
    sumsOf([
      { amountCents: 150, currency: 'usd' },
      { amountCents: 1_000, currency: 'eur' },
      { amountCents: null, currency: 'eur' },
      { amountCents: 2_000, currency: 'eur' },
    ]),
  ).toEqual([
    { currency: 'eur', cents: 3_000 },
    { currency: 'usd', cents: 150 },
  ])
})

test('the board has a column for each stage of open opportunities, also without one, then the closed ones', () => {
  const ids = placesOf(['Offer', 'Call', 'Offer']).map(columnIdOf)
  expect(ids).toEqual(['stage:', 'stage:Call', 'stage:Offer', 'WON', 'LOST'])
  expect(columnIdOf(placeOf({ status: 'WON', stage: 'Offer' }))).toBe('WON')
  expect(columnIdOf(placeOf({ status: 'OPEN', stage: 'Offer' }))).toBe('stage:Offer')
})

test('a closed opportunity that is moved to a stage is reopened', () => {
  expect(changeTo({ status: 'LOST' }, { status: 'OPEN', stage: 'Call' })).toEqual({
    status: 'OPEN',
    stage: 'Call',
  })
  expect(changeTo({ status: 'OPEN' }, { status: 'OPEN', stage: null })).toEqual({ stage: null })
  expect(changeTo({ status: 'OPEN' }, { status: 'WON' })).toEqual({ status: 'WON' })
})

test('a search needs two characters', () => {
  expect(opportunityInputOf({ search: ' a ' })).toEqual({ query: {} })
  expect(opportunityInputOf({ search: ' ab', status: 'WON' })).toEqual({
    query: { search: 'ab', status: 'WON' },
  })
})
