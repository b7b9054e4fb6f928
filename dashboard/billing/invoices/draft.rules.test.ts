import { expect, test } from 'vitest'
import { isValidLine, newLineOf, parsedDecimal, parsedTaxes, typedLineOf } from './draft.rules.ts'

const line = {
  description: 'Sesión',
  quantity: '2.5',
  unitPriceCents: 31_000,
  discountPercent: '10',
  taxes: [
    { name: 'IVA', rate: '21' },
    { name: 'IRPF', rate: '-15.5' },
  ],
}

test('a line of the server becomes fields in the language of the person, and the same line again', () => {
  const typed = typedLineOf(line, 'k', 'es')
  expect(typed).toEqual({
    key: 'k',
    description: 'Sesión',
    quantity: '2,5',
    unitPriceCents: 31_000,
    discount: '10',
    taxes: 'IVA 21; IRPF -15,5',
  })
  expect(isValidLine(typed)).toBe(true)
  expect(newLineOf(typed)).toEqual(line)
})

test('decimals and taxes are read in both notations, and nothing else is', () => {
  expect(parsedDecimal(' 2,5 ')).toBe('2.5')
  for (const text of ['', '2,5,1', '1.23456', 'two']) expect(parsedDecimal(text), text).toBeUndefined()
  expect(parsedTaxes('')).toEqual([])
  expect(parsedTaxes('IVA reducido 10 %;')).toEqual([{ name: 'IVA reducido', rate: '10' }])
  for (const text of ['21', 'IVA', 'IVA 21, IRPF', 'IVA 2100'])
    expect(parsedTaxes(text), text).toBeUndefined()
})

test('a line that cannot be sent is not valid', () => {
  const typed = typedLineOf(line, 'k', 'en')
  for (const fields of [
    { description: ' ' },
    { quantity: 'x' },
    { unitPriceCents: null },
    { discount: 'x' },
    { taxes: 'IVA' },
  ])
    expect(isValidLine({ ...typed, ...fields }), JSON.stringify(fields)).toBe(false)
})
