import { expect, test } from 'vitest'
import { captured, defined, exactly, findIn, firstOf, itemAt, only } from './elements.ts'

test('a missing element fails the test, and the error shows what was found', () => {
  expect(only(['a'])).toBe('a')
  expect(() => only(['a', 'b'])).toThrow(`Expected exactly one element, found [ 'a', 'b' ]`)
  expect(() => only([])).toThrow('Expected exactly one element, found []')
  expect(exactly(2, [1, 2])).toEqual([1, 2])
  expect(() => exactly(2, [1, 2, 3])).toThrow('Expected exactly 2 elements, found [ 1, 2, 3 ]')
  expect(firstOf(2, [1, 2, 3])).toEqual([1, 2])
  expect(() => firstOf(2, [1])).toThrow('Expected at least 2 elements, found [ 1 ]')
  expect([itemAt([1, 2, 3], 1), itemAt([1, 2, 3], -1)]).toEqual([2, 3])
  expect(() => itemAt([1], 1)).toThrow('Expected an element at 1, found [ 1 ]')
  expect(() => itemAt([1], -2)).toThrow('Expected an element at -2, found [ 1 ]')
  expect(findIn([1, 2, 3], n => n > 1)).toBe(2)
  expect(() => findIn([1], n => n > 1)).toThrow('Expected an element that the predicate accepts, found [ 1 ]')
})

test('a missing value or match fails the test', () => {
  expect([defined(0), defined('')]).toEqual([0, ''])
  expect(() => defined(null)).toThrow('Expected a value, found null')
  expect(() => defined(undefined)).toThrow('Expected a value, found undefined')
  expect(captured(/id=(\d+)/, 'id=42')).toBe('42')
  expect(() => captured(/id=(\d+)/, 'no id')).toThrow(`Expected a match of /id=(\\d+)/, found 'no id'`)
})
