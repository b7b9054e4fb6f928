import { expect, test } from 'vitest'
import { isFinalRefusal } from './attempt.rules.ts'

test('only a refusal by the server says that no money moved', () => {
  expect(isFinalRefusal(409)).toBe(true)
  expect(isFinalRefusal(422)).toBe(true)
  expect(isFinalRefusal(502)).toBe(false)
  expect(isFinalRefusal(undefined)).toBe(false)
})
