import { describe, expect, test } from 'vitest'
import type { NewLines } from '#contract/billing/invoice.ts'
import { only } from '#tests/support/elements.ts'
import { amountsOf } from '../invoices/amounts.ts'
import { type Breakdown, breakdownOf, totalWithoutRetention } from './breakdown.ts'

const options = { regime: '01', untaxedDomestic: 'E1', untaxedForeign: 'N2' } as const
const line = (unitPriceCents: number, ...taxes: [name: string, rate: string][]): NewLines[number] => ({
  description: 'Work',
  unitPriceCents,
  taxes: taxes.map(([name, rate]) => ({ name, rate })),
})
const breakdown = (lines: NewLines, isForeign = false, given = {}) =>
  breakdownOf(amountsOf(lines), { ...options, ...given }, isForeign) as Breakdown
const faultsOf = (...args: Parameters<typeof breakdown>) => {
  const result = breakdown(...args) as unknown as { faults: { path: string; message: string }[] }
  return result.faults.map(({ path, message }) => `${path} ${message}`)
}

test('lines are grouped by their rates, and a retention is not part of the amounts', () => {
  const lines = [
    line(10_000, ['IVA', '21'], ['IRPF', '-15']),
    line(5_000, ['I.V.A.', '10']),
    line(3_333, ['iva', '10']),
    line(2_000, ['IVA', '21'], ['IRPF', '-15']),
  ]
  const { taxCents, totalCents, lines: details } = breakdown(lines)
  expect(details.map(({ rate, baseCents, taxCents }) => [rate, baseCents, taxCents])).toEqual([
    ['21', 12_000, 2_520],
    ['10', 8_333, 833],
  ])
  expect([taxCents, totalCents]).toEqual([3_353, 23_686])
  const amounts = amountsOf(lines)
  expect(amounts.total_cents).toBe(23_686 - 1_800)
  expect(totalWithoutRetention(amounts)).toBe(totalCents)
})

test('a tax that two groups share keeps its sum', () => {
  const { lines, taxCents } = breakdown([
    line(33, ['IVA', '21'], ['RE', '5.2']),
    line(33, ['IVA', '21']),
    line(33, ['IVA', '21'], ['RE', '5.2']),
  ])
  expect(lines).toMatchObject([
    { baseCents: 66, taxCents: 14, surchargeRate: '5.2', surchargeCents: 3 },
    { baseCents: 33, taxCents: 7, surchargeRate: null, surchargeCents: null },
  ])
  expect(taxCents).toBe(24)
})

describe('lines without value added tax', () => {
  test('have the reason of the settings, by the country of the client', () => {
    expect(breakdown([line(100)]).lines).toMatchObject([
      { tax: '01', regime: '01', operation: 'E1', rate: null, taxCents: null, baseCents: 100 },
    ])
    expect(breakdown([line(100)], true).lines).toMatchObject([{ operation: 'N2', rate: null }])
  })
  test('are exports in the regime of exports', () => {
    expect(only(breakdown([line(100)], true, { untaxedForeign: 'E2' }).lines).regime).toBe('02')
  })
  test('have the rate 0 with a reverse charge', () => {
    expect(breakdown([line(100)], false, { untaxedDomestic: 'S2' }).lines).toMatchObject([
      { operation: 'S2', rate: '0', taxCents: 0 },
    ])
  })
  test('are refused without a reason', () => {
    expect(faultsOf([line(100)], false, { untaxedDomestic: null })).toEqual([
      'lines.0.taxes contain no IVA, and the settings of tax records do not say why',
    ])
  })
})

test('other territories have their own taxes', () => {
  expect(breakdown([line(100, ['IGIC', '7'])]).lines).toMatchObject([{ tax: '03', regime: '01' }])
  expect(breakdown([line(100, ['IPSI', '4'])]).lines).toMatchObject([{ tax: '02', regime: null }])
})

test.each([
  ['an unknown tax', [line(1, ['VAT', '21'])], /VAT 21 %/],
  ['a negative tax', [line(1, ['IVA', '-21'])], /IVA -21 %/],
  ['a positive retention', [line(1, ['IRPF', '15'])], /IRPF 15 %/],
  ['a rate that does not exist', [line(1, ['IVA', '16'])], /IVA of 16 %/],
  ['two rates', [line(1, ['IVA', '21'], ['IVA', '10'])], /two taxes of the same kind/],
  ['a surcharge alone', [line(1, ['RE', '5.2'])], /surcharge without IVA/],
  ['two territories', [line(1, ['IVA', '21']), line(1, ['IGIC', '7'])], /different territories/],
  [
    'too many rates',
    Array.from({ length: 13 }, (_, at) => line(1, ['IGIC', `${at}`])),
    /more than 12 combinations/,
  ],
])('%s is refused', (_name, lines, message) => {
  expect(faultsOf(lines)).toEqual([expect.stringMatching(message)])
})
