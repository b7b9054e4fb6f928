import { expect, test } from 'vitest'
import { firstOf, lastOf, lookUp, required } from './required.ts'

test('a value that is there is returned, also one that is false', () => {
  expect([required(0, 'a number'), required('', 'a text'), required(false, 'a flag')]).toEqual([0, '', false])
  expect([firstOf(['a', 'b']), lastOf(['a', 'b']), lookUp(new Map([['a', 0]]), 'a')]).toEqual(['a', 'b', 0])
})

test('the error names the missing value', () => {
  expect(() => required(null, 'the country of a recipient')).toThrow(
    'There is no value for the country of a recipient',
  )
  expect(() => required(undefined, 'a limit')).toThrow('a limit')
  expect(() => firstOf([])).toThrow('the first element of a list')
  expect(() => lastOf([])).toThrow('the last element of a list')
  expect(() => lookUp(new Map([['a', 1]]), 'b')).toThrow('the key b')
})
