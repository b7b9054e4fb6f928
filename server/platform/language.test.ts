import { expect, test } from 'vitest'
import { writing } from './language.ts'

const text = (value: string) => value.replace(/\s/g, ' ')

test('figures are formatted exactly as in Spain', () => {
  const { country, day, moneyIn, month, quantity, rate } = writing.es
  expect([0, 5, -5, 100_000, 123_456_789, 999_999_999_999_99].map(moneyIn('eur')).map(text)).toEqual([
    '0,00 €',
    '0,05 €',
    '-0,05 €',
    '1.000,00 €',
    '1.234.567,89 €',
    '999.999.999.999,99 €',
  ])
  expect(text(moneyIn('jpy')(1_234))).toBe('1.234 JPY')
  expect(text(moneyIn('kwd')(1_234_567))).toBe('1.234,567 KWD')
  // whose decimals are seldom written
  expect(text(moneyIn('cop')(1_234_567))).toBe('12.345,67 COP')
  expect(['0', '2.5', '999999999.9999'].map(quantity)).toEqual(['0', '2,5', '999.999.999,9999'])
  expect(['21', '-15', '5.2'].map(rate).map(text)).toEqual(['21 %', '-15 %', '5,2 %'])
  expect(['ES', 'PT', 'ZZ'].map(country)).toEqual(['España', 'Portugal', 'Región desconocida'])
  expect(day('2026-01-02')).toBe('2 de enero de 2026')
  expect(month('2026-01-31')).toBe('enero de 2026')
})

test('figures are formatted in English as well', () => {
  const { country, day, moment, moneyIn, month, quantity, rate } = writing.en
  expect([moneyIn('eur')(-123_456_789), moneyIn('kwd')(5)].map(text)).toEqual(['-€1,234,567.89', 'KWD 0.005'])
  expect([quantity('1234.5'), rate('-5.2'), country('ES')]).toEqual(['1,234.5', '-5.2%', 'Spain'])
  expect(day('2026-11-02')).toBe('2 November 2026')
  expect(month('2026-11-02')).toBe('November 2026')
  expect(moment('2026-11-02T09:05:06.789Z')).toBe('2 November 2026 at 09:05:06 UTC')
  expect(writing.es.moment('2026-11-02T09:05:06.789Z')).toBe('2 de noviembre de 2026 a las 9:05:06 UTC')
})
