import { expect, test } from 'vitest'
import {
  allCaptured,
  atLeast,
  captured,
  defined,
  exactly,
  findIn,
  firstOf,
  inTurn,
  itemAt,
  lastOf,
  makeAll,
  mapAll,
  only,
} from './elements.ts'

test('a missing element fails the test, and the error shows what was found', () => {
  expect(only(['a'])).toBe('a')
  expect(() => only(['a', 'b'])).toThrow(`Expected exactly one element, found [ 'a', 'b' ]`)
  expect(() => only([])).toThrow('Expected exactly one element, found []')
  expect(exactly(2, [1, 2])).toEqual([1, 2])
  expect(() => exactly(2, [1, 2, 3])).toThrow('Expected exactly 2 elements, found [ 1, 2, 3 ]')
  expect(atLeast(2, [1, 2, 3])).toEqual([1, 2])
  expect(() => atLeast(2, [1])).toThrow('Expected at least 2 elements, found [ 1 ]')
  expect([firstOf([1, 2]), lastOf([1, 2])]).toEqual([1, 2])
  expect(() => firstOf([])).toThrow('Expected a first element, found []')
  expect(() => lastOf([])).toThrow('Expected a last element, found []')
  expect([itemAt([1, 2, 3], 1), itemAt([1, 2, 3], -1)]).toEqual([2, 3])
  expect(() => itemAt([1], 1)).toThrow('Expected an element at 1, found [ 1 ]')
  expect(() => itemAt([1], -2)).toThrow('Expected an element at -2, found [ 1 ]')
  expect([inTurn([1, 2], 1), inTurn([1, 2], 2)]).toEqual([2, 1])
  expect(() => inTurn([], 1)).toThrow('Expected elements, found []')
  expect(findIn([1, 2, 3], n => n > 1)).toBe(2)
  expect(() => findIn([1], n => n > 1)).toThrow('Expected an element that the predicate accepts, found [ 1 ]')
})

test('a missing value or match fails the test', () => {
  expect([defined(0), defined('')]).toEqual([0, ''])
  expect(() => defined(null)).toThrow('Expected a value, found null')
  expect(() => defined(undefined)).toThrow('Expected a value, found undefined')
  expect(captured(/id=(\d+)/, 'id=42')).toBe('42')
  expect(() => captured(/id=(\d+)/, 'no id')).toThrow(`Expected a match of /id=(\\d+)/, found 'no id'`)
  expect(allCaptured(/(\w)=/g, 'a=1 b=2')).toEqual(['a', 'b'])
  expect(allCaptured(/(\w)=/g, '1 2')).toEqual([])
  expect(() => allCaptured(/(\w)?=/g, 'a= =')).toThrow(`Expected a group of /(\\w)?=/g, found '='`)
})

test('things that are made at the same time keep their order, and one failure fails all', async () => {
  const started: number[] = []
  const turns = { 1: Promise.withResolvers<void>(), 2: Promise.withResolvers<void>() }
  const made = mapAll([1, 2], async (n, index) => {
    started.push(n)
    await turns[n as 1 | 2].promise
    return `${n} at ${index}`
  })
  expect(started).toEqual([1, 2])
  turns[2].resolve()
  turns[1].resolve()
  expect(await made).toEqual(['1 at 0', '2 at 1'])
  expect(await makeAll(3, index => index * 2)).toEqual([0, 2, 4])
  await expect(mapAll([1, 2], n => (n === 2 ? Promise.reject(new Error('no')) : n))).rejects.toThrow('no')
})
