import { publishDate } from 'currency-codes'
import { expect, test } from 'vitest'
import { exponentOf, isCurrency } from './currency.ts'
import { writing } from './language.ts'

test.each([
  ['eur', 2],
  ['jpy', 0],
  ['krw', 0],
  ['ugx', 0],
  ['kwd', 3],
  ['tnd', 3],
  ['clf', 4],
  ['sle', 2],
  ['xcg', 2],
])('%s is a currency of ISO 4217 with %i decimals', (code, decimals) => {
  expect([isCurrency(code), exponentOf(code)]).toEqual([true, decimals])
})

test.each([
  'zzz',
  'btc',
  'dem',
  'hrk',
  'sll',
  'zwl',
  'ang',
  'bgn',
  'cuc',
  'xau',
  'xxx',
  'xts',
  'xdr',
  'EUR',
  'eu',
  '',
])('“%s” is not a currency, or has no unit', code => expect(isCurrency(code)).toBe(false))

test.each(['ang', 'bgn', 'cuc'])('withdrawn %s keeps its decimals', code => expect(exponentOf(code)).toBe(2))

test("additional currencies are newer than the library's list", () => {
  // with a newer list of the library look at `later` and `withdrawn` in currency.ts
  expect(publishDate).toBe('2024-06-25')
})

test.each([
  ['jpy', 1_234_567, '1.234.567 JPY', 'JP¥1,234,567'],
  ['kwd', 1_234_567, '1.234,567 KWD', 'KWD 1,234.567'],
  ['kwd', -5, '-0,005 KWD', '-KWD 0.005'],
  ['clf', 12_345, '1,2345 CLF', 'CLF 1.2345'],
])('an amount in %s has its decimals: %i', (currency, cents, es, en) => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  expect(plain(writing.es.moneyIn(currency)(cents))).toBe(es)
  expect(plain(writing.en.moneyIn(currency)(cents))).toBe(en)
})
