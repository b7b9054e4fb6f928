import { expect, test } from 'vitest'
import { typedCardOf } from './sandbox-card.ts'

test.each([
  ['12/40', 12, 2040],
  ['1/2030', 1, 2030],
  ['09/07', 9, 2007],
])('a card that expires %s', (expires, expiresMonth, expiresYear) => {
  expect(typedCardOf({ number: '4242', expires })).toEqual({ number: '4242', expiresMonth, expiresYear })
})
