import { expect, test } from 'vitest'
import { moveSigner, ordersOf, type SignerRow } from './signer-rows.ts'

const row = (key: string, isTogether = false): SignerRow => ({ key, name: '', email: '', isTogether })

test('each row signs after the one above, unless it signs together with it', () => {
  expect(ordersOf([row('a'), row('b'), row('c')])).toEqual([1, 2, 3])
  expect(ordersOf([row('a', true), row('b', true), row('c')])).toEqual([1, 1, 2])
})

test('a row moves by one and stays within the list', () => {
  const rows = [row('a'), row('b'), row('c')]
  const keys = (moved: readonly SignerRow[]) => moved.map(({ key }) => key).join('')
  expect(keys(moveSigner(rows, 'c', -1))).toBe('acb')
  expect(keys(moveSigner(rows, 'a', 1))).toBe('bac')
  expect(keys(moveSigner(rows, 'a', -1))).toBe('abc')
  expect(keys(moveSigner(rows, 'c', 1))).toBe('abc')
})
