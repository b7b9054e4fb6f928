import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf, plainDecimal, roundedProduct, roundedShare } from './decimal.ts'

test.each([
  ['1', '1'],
  ['1.0', '1'],
  ['0.50', '0.5'],
  ['-0.050', '-0.05'],
  ['-0', '0'],
  ['-0.00', '0'],
  ['007.10', '7.1'],
  ['100', '100'],
])('%s becomes %s', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain)
})

test.each([
  [1, ['0.5'], 1],
  [-1, ['0.5'], -1],
  [1, ['0.49'], 0],
  [3, ['0.5'], 2],
  [-3, ['0.5'], -2],
  [10_050, ['0.21'], 2_111],
  [1_000_000_000_000, ['999999999.999999', '1'], 999_999_999_999_999_000_000n],
] as const)('%s times %j is %s', (whole, factors, product) => {
  expect(roundedProduct(whole, ...factors.map(decimalOf))).toBe(BigInt(product))
})

test.each([
  [100, 1, 3, 33],
  [100, 1, 8, 13],
  [-100, 1, 8, -13],
  // beyond what a floating number holds
  [1_000_000_000_000, 999_999_999_999, 1_000_000_000_000, 999_999_999_999],
  [999_999_999_999, 1, 2, 500_000_000_000],
])('of %s the part %s of %s is %s', (whole, part, all, share) => {
  expect(roundedShare(whole, part, all)).toBe(BigInt(share))
})

test('a product is rounded to the nearest whole number, symmetrically around zero', () => {
  const decimal = fc
    .tuple(fc.integer({ min: 0, max: 10 ** 6 }), fc.integer({ min: 0, max: 999_999 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`)
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), decimal, (whole, factor) => {
      const product = roundedProduct(whole, decimalOf(factor))
      const exact = BigInt(whole) * decimalOf(factor).units
      const off = product * 10n ** 6n - exact
      expect(off >= -500_000n && off <= 500_000n).toBe(true)
      expect(roundedProduct(-whole, decimalOf(factor))).toBe(-product)
      expect(roundedProduct(whole, decimalOf(plainDecimal(factor)))).toBe(product)
    }),
  )
})
