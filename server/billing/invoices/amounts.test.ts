import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { Refusal } from '#platform/fail.ts'
import { amountsOf, negated } from './amounts.ts'
import { rectifyingLines } from './rectifying/rectifying.rules.ts'

const iva = { name: 'IVA', rate: '21' }
const irpf = { name: 'IRPF', rate: '-15' }
const figures = ({ subtotal_cents, tax_cents, total_cents }: ReturnType<typeof amountsOf>) => [
  subtotal_cents,
  tax_cents,
  total_cents,
]

describe('the amounts of an invoice', () => {
  test('each line is rounded, and each tax once for all its lines', () => {
    // 3 × 0.333 of 0.50 are 0.4995 each time; by line 21 % would be 0.11 + 0.11 + 0.11
    const amounts = amountsOf(
      ['a', 'b', 'c'].map(description => ({
        description,
        quantity: '0.333',
        unitPriceCents: 150,
        taxes: [iva],
      })),
    )
    expect(amounts.lines.map(({ subtotalCents }) => subtotalCents)).toEqual([50, 50, 50])
    expect(amounts.taxes).toEqual([{ ...iva, baseCents: 150, amountCents: 32 }])
    expect(figures(amounts)).toEqual([150, 32, 182])
  })

  test('half a cent is rounded away from zero, negative amounts too', () => {
    const of = (unitPriceCents: number) => amountsOf([{ description: 'x', quantity: '0.5', unitPriceCents }])
    expect([of(1), of(-1), of(3)].map(({ subtotal_cents }) => subtotal_cents)).toEqual([1, -1, 2])
  })

  test('discounts, several taxes, and a withheld tax', () => {
    const amounts = amountsOf([
      {
        description: 'Design',
        quantity: '2.50',
        unitPriceCents: 4_000,
        discountPercent: '10.0',
        taxes: [iva, irpf],
      },
      { description: 'Book', unitPriceCents: 1_050, taxes: [{ name: 'IVA', rate: '4.0' }] },
      { description: 'Stamp', unitPriceCents: 99 },
    ])
    expect(amounts.lines[0]).toEqual({
      description: 'Design',
      quantity: '2.5',
      unitPriceCents: 4_000,
      discountPercent: '10',
      taxes: [iva, irpf],
      subtotalCents: 9_000,
    })
    expect(amounts.taxes).toEqual([
      { ...iva, baseCents: 9_000, amountCents: 1_890 },
      { ...irpf, baseCents: 9_000, amountCents: -1_350 },
      { name: 'IVA', rate: '4', baseCents: 1_050, amountCents: 42 },
    ])
    expect(figures(amounts)).toEqual([10_149, 582, 10_731])
  })

  test('no lines have a total of zero', () => {
    expect(figures(amountsOf([]))).toEqual([0, 0, 0])
    const whole = { description: 'x', unitPriceCents: 500, discountPercent: '100', taxes: [iva] }
    expect(figures(amountsOf([whole]))).toEqual([0, 0, 0])
  })

  test('no amount exceeds the limit, even if others compensate it', () => {
    const large = (quantity: string, name: string) => ({
      description: 'x',
      quantity,
      unitPriceCents: limits.invoiceCents,
      taxes: [{ name, rate: '900' }],
    })
    expect(() => amountsOf([large('1', 'A'), large('-1', 'B')])).toThrow(Refusal)
  })

  const rate = fc.constantFrom('21', '10', '4', '0', '5.5', '-15', '-19')
  const given = fc.array(
    fc.record({
      description: fc.constant('x'),
      quantity: fc.integer({ min: -99_999, max: 9_999_999 }).map(n => (n / 1_000).toFixed(3)),
      unitPriceCents: fc.integer({ min: -100_000, max: 10_000_000 }),
      discountPercent: fc.integer({ min: 0, max: 10_000 }).map(n => (n / 100).toFixed(2)),
      taxes: fc.uniqueArray(rate, { maxLength: 3 }).map(rates => rates.map(rate => ({ name: 'T', rate }))),
    }),
    { maxLength: 20 },
  )

  test('add up for any lines in any order, and can be recomputed from the stored lines', () => {
    fc.assert(
      fc.property(given, lines => {
        const amounts = amountsOf(lines)
        const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0)
        expect(amounts.subtotal_cents).toBe(sum(amounts.lines.map(({ subtotalCents }) => subtotalCents)))
        expect(amounts.tax_cents).toBe(sum(amounts.taxes.map(({ amountCents }) => amountCents)))
        expect(amounts.total_cents).toBe(amounts.subtotal_cents + amounts.tax_cents)
        expect(Number.isSafeInteger(amounts.total_cents)).toBe(true)
        expect(figures(amountsOf([...lines].reverse()))).toEqual(figures(amounts))
        expect(figures(amountsOf(amounts.lines.map(({ subtotalCents: _, ...line }) => line)))).toEqual(
          figures(amounts),
        )
        expect(figures(amountsOf(negated(amounts.lines))).map(cents => cents + 0)).toEqual(
          figures(amounts).map(cents => 0 - cents),
        )
      }),
    )
  })

  test('a part of an invoice is rectified to the cent', () => {
    fc.assert(
      fc.property(given, fc.double({ min: 0, max: 1, noNaN: true }), (lines, share) => {
        const { lines: original, total_cents } = amountsOf(lines)
        fc.pre(total_cents > 0)
        const cents = Math.max(1, Math.floor(total_cents * share))
        expect(amountsOf(rectifyingLines({ lines: original, total_cents }, cents, 'Back')).total_cents).toBe(
          -cents,
        )
      }),
    )
  })
})
