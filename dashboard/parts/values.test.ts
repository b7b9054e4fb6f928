import { expect, test } from 'vitest'
import { parsedAmount } from './amount.ts'
import { linesOf } from './difference-lines.ts'
import { directionOf, nextSort } from './grid-column.ts'
import { commandOf } from './grid-keys.ts'
import { selectionState, toggled, toggledAll } from './grid-selection.ts'
import { figuresText, moneyText } from './money-text.ts'

test('money is exact, grouped from four digits on, with the decimals of its currency, as the language writes it', () => {
  expect(moneyText(153_670, 'EUR', 'es')).toBe('1.536,70\u00a0€')
  expect(moneyText(153_670, 'EUR', 'en')).toBe('€1,536.70')
  expect(moneyText(-5, 'EUR', 'es')).toBe('-0,05\u00a0€')
  expect(moneyText(-5, 'EUR', 'en')).toBe('-€0.05')
  expect(moneyText(1_500, 'JPY', 'es')).toBe('1.500\u00a0JPY')
  expect(moneyText(9_007_199_254_740_991, 'EUR', 'es')).toBe('90.071.992.547.409,91\u00a0€')
  expect(figuresText(153_670, 'EUR', 'en')).toBe('1,536.70')
})

test('an amount is read in both notations, and anything else is none', () => {
  for (const text of ['1536,70', '1536.70', '1.536,70', '1,536.70', ' 1.536,7 € '])
    expect(parsedAmount(text, 2)).toBe(153_670)
  expect(parsedAmount('1.536', 2)).toBe(153_600)
  expect(parsedAmount('1536', 0)).toBe(1_536)
  expect(parsedAmount('-0,05', 2)).toBe(-5)
  for (const text of ['', 'abc', '1,2,3', '1.53.6', '12.34,567', '1e5', '99999999999999999'])
    expect(parsedAmount(text, 2)).toBeUndefined()
})

test('a range of rows gets the state of the row that was pressed', () => {
  const keys = ['a', 'b', 'c', 'd']
  expect([...toggled(keys, new Set(['a']), 'c', 'a')]).toEqual(['a', 'b', 'c'])
  expect([...toggled(keys, new Set(['a', 'b', 'c']), 'a', 'c')]).toEqual([])
  expect([...toggled(keys, new Set(['z']), 'b')]).toEqual(['z', 'b'])
  expect(selectionState(keys, new Set(['a', 'z']))).toBe('mixed')
  // rows of other pages stay selected
  expect([...toggledAll(keys, new Set(['z', ...keys]))]).toEqual(['z'])
})

test('a column sorts one way or both, as the server offers', () => {
  const one = { id: 'at', title: 'At', sort: 'createdAt', cell: () => null }
  const both = { ...one, sort: { ascending: 'price', descending: '-price' } }
  expect(directionOf(one, 'createdAt')).toBe('descending')
  expect(directionOf(both, 'price')).toBe('ascending')
  expect(nextSort(both, 'price')).toBe('-price')
  expect(nextSort(both, '-price')).toBe('price')
  expect(nextSort({ ...one, sort: undefined } as never, 'createdAt')).toBeUndefined()
})

test('letters of the grid rest when a person has switched them off', () => {
  const key = (name: string, ctrlKey = false) => ({
    key: name,
    ctrlKey,
    metaKey: false,
    altKey: false,
    shiftKey: false,
  })
  expect(commandOf(key('j'), true)).toEqual({ kind: 'move', rows: 1 })
  expect(commandOf(key('j'), false)).toBeUndefined()
  expect(commandOf(key('ArrowDown'), false)).toEqual({ kind: 'move', rows: 1 })
  expect(commandOf(key('o', true), true)).toBeUndefined()
})

test('lines of a difference have their numbers in both texts', () => {
  const hunk = {
    fromLine: 4,
    toLine: 9,
    runs: [
      { kind: 'same' as const, lines: ['a'] },
      { kind: 'removed' as const, lines: ['b'] },
      { kind: 'added' as const, lines: ['c'] },
      { kind: 'same' as const, lines: ['d'] },
    ],
  }
  expect(linesOf(hunk).map(({ from, to }) => [from, to])).toEqual([
    [4, 9],
    [5, undefined],
    [undefined, 10],
    [6, 11],
  ])
})
