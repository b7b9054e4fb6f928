import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { decimalOf, plainDecimal } from '#platform/decimal.ts'
import { Refusal } from '#platform/fail.ts'
import { only } from '#tests/support/elements.ts'
import { type BudgetOffer, computeBudget } from './compute.ts'

const most = limits.budgetCents
type Item = BudgetOffer['sections'][number]['items'][number]
const iva = { name: 'IVA', rate: '21' }
const reduced = { name: 'IVA', rate: '10' }
const irpf = { name: 'IRPF', rate: '-15' }

function item(input: Partial<Item> = {}): Item {
  return {
    name: 'Work',
    description: null,
    quantity: '1',
    unit: null,
    unitPriceCents: 10_000,
    optional: false,
    selected: true,
    discount: null,
    taxes: [iva],
    ...input,
  }
}
const offer = (items: Item[], discounts: BudgetOffer['discounts'] = []): BudgetOffer => ({
  sections: [{ title: null, description: null, items }],
  discounts,
})
const percent = (value: string) => ({ kind: 'PERCENT', value }) as const
const amount = (value: number) => ({ kind: 'AMOUNT', value }) as const
const off = (discount: ReturnType<typeof percent> | ReturnType<typeof amount>) => ({
  name: 'Off',
  ...discount,
})
/** Subtotal, discount, tax and total. */
function figures(input: BudgetOffer): number[] {
  const { subtotalCents, discountCents, taxCents, totalCents } = computeBudget(input)
  return [subtotalCents, discountCents, taxCents, totalCents]
}
/** A VALIDATION_ERROR for one field. */
const refusalAt = (path: string) =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    extra: { details: [expect.objectContaining({ path })] },
  })
const subtotal = (input: Partial<Item>) => figures(offer([item({ ...input, taxes: [] })]))[0]

describe('decimals', () => {
  test.each([
    ['0', '0'],
    ['-0.0000', '0'],
    ['007', '7'],
    ['2.50', '2.5'],
    ['0.0001', '0.0001'],
    ['-15.20', '-15.2'],
    ['999999999.9999', '999999999.9999'],
  ])('%s is normalized to %s', (input, written) => {
    expect(plainDecimal(input)).toBe(written)
    expect(plainDecimal(written)).toBe(written)
  })
})

describe('an item', () => {
  test.each<[string, Partial<Item>, number]>([
    ['a piece', {}, 10_000],
    ['half a cent, up', { quantity: '0.5', unitPriceCents: 1 }, 1],
    ['less than half a cent, down', { quantity: '0.4999', unitPriceCents: 1 }, 0],
    ['what floating numbers get wrong', { quantity: '1.005', unitPriceCents: 100 }, 101],
    ['and again', { quantity: '8.165', unitPriceCents: 1_000 }, 8_165],
    ['four decimals', { quantity: '3.3333', unitPriceCents: 29_999 }, 99_996],
    ['a part off', { discount: percent('33.3333') }, 6_667],
    ['rounded once', { quantity: '0.5', unitPriceCents: 1, discount: percent('50') }, 0],
    ['all off', { discount: percent('100') }, 0],
    ['an amount off', { quantity: '2', discount: amount(12_345) }, 7_655],
    ['exactly all of it', { discount: amount(10_000) }, 0],
    [
      'more than a floating number holds',
      { quantity: '999999999.9999', unitPriceCents: 1_000 },
      1_000_000_000_000,
    ],
  ])('%s', (_what, input, cents) => expect(subtotal(input)).toBe(cents))

  test('that is optional counts only when it is selected, but always has a subtotal', () => {
    const items = [
      item(),
      item({ optional: true, selected: false }),
      item({ optional: true, unitPriceCents: 1 }),
    ]
    const { content, totalCents } = computeBudget(offer(items))
    expect(only(content.sections).items.map(({ subtotalCents }) => subtotalCents)).toEqual([
      10_000, 10_000, 1,
    ])
    expect(totalCents).toBe(12_101)
    expect(content.taxes).toEqual([{ ...iva, baseCents: 10_001, amountCents: 2_100 }])
  })

  test.each<[string, Partial<Item>, string]>([
    ['a discount of more than it', { discount: amount(10_001) }, 'sections.0.items.0.discount.value'],
    ['more than there may be', { quantity: '2', unitPriceCents: most }, 'sections.0.items.0'],
  ])('cannot have %s', (_what, input, path) => {
    expect(() => subtotal(input)).toThrow(Refusal)
    expect(() => subtotal(input)).toThrow(refusalAt(path))
  })
})

describe('a budget', () => {
  test('computes each tax rate once on its base', () => {
    const items = [item({ unitPriceCents: 3 }), item({ unitPriceCents: 3 }), item({ taxes: [reduced] })]
    // rounding each item separately would give 1 + 1
    expect(computeBudget(offer(items)).content.taxes).toEqual([
      { ...iva, baseCents: 6, amountCents: 1 },
      { ...reduced, baseCents: 10_000, amountCents: 1_000 },
    ])
    expect(figures(offer(items))).toEqual([10_006, 0, 1_001, 11_007])
  })

  test('supports withholding as a negative tax', () => {
    const items = [item({ taxes: [iva, irpf] })]
    expect(figures(offer(items))).toEqual([10_000, 0, 600, 10_600])
    // rounds half away from zero there too
    const [, , tax] = figures(offer([item({ unitPriceCents: 10, taxes: [irpf] })]))
    expect(tax).toBe(-2)
  })

  test('applies discounts in order and allocates them to items with the same taxes', () => {
    const items = [item({ unitPriceCents: 20_000 }), item({ taxes: [reduced] })]
    const input = offer(items, [off(percent('10')), off(amount(100)), off(percent('50'))])
    const { content } = computeBudget(input)
    expect(content.discounts.map(({ amountCents }) => amountCents)).toEqual([3_000, 100, 13_450])
    expect(content.taxes).toEqual([
      { ...iva, baseCents: 8_967, amountCents: 1_883 },
      { ...reduced, baseCents: 4_483, amountCents: 448 },
    ])
    expect(figures(input)).toEqual([30_000, 16_550, 2_331, 15_781])
  })

  test('without items has a total of zero', () => {
    expect(figures({ sections: [], discounts: [off(percent('10'))] })).toEqual([0, 0, 0, 0])
  })

  test.each<[string, BudgetOffer, string]>([
    [
      'a discount of more than is left',
      offer([item()], [off(percent('50')), off(amount(5_001))]),
      'discounts.1.value',
    ],
    ['less than nothing', offer([item({ taxes: [{ name: 'A', rate: '-100' }, irpf] })]), 'sections'],
    [
      'more than there may be',
      offer(Array.from({ length: 2 }, () => item({ unitPriceCents: most, taxes: [] }))),
      'sections',
    ],
    ['so much with its taxes', offer([item({ unitPriceCents: most })]), 'sections'],
  ])('refuses a total of %s', (_what, input, path) => {
    expect(() => computeBudget(input)).toThrow(refusalAt(path))
  })

  const rate = fc
    .integer({ min: 0, max: 1_000_000 })
    .map(n => plainDecimal(`${Math.floor(n / 10_000)}.${String(n % 10_000).padStart(4, '0')}`))
  const discount = fc.oneof(rate.map(percent), fc.integer({ min: 0, max: 50 }).map(amount))
  const anyItem = fc
    .record({
      quantity: fc
        .integer({ min: 0, max: 99_999_999 })
        .map(n => plainDecimal(`${Math.floor(n / 10_000)}.${String(n % 10_000).padStart(4, '0')}`)),
      unitPriceCents: fc.integer({ min: 0, max: 10_000_000 }),
      optional: fc.boolean(),
      selected: fc.boolean(),
      discount: fc.option(discount),
      taxes: fc.subarray([iva, reduced, irpf, { name: 'Recargo', rate: '5.2' }]),
    })
    .map(item)
  const anyOffer = fc
    .tuple(
      fc.array(fc.array(anyItem, { maxLength: 8 }), { maxLength: 4 }),
      fc.array(discount, { maxLength: 3 }),
    )
    .map(([sections, discounts]) => ({
      sections: sections.map(items => ({ title: null, description: null, items })),
      discounts: discounts.map(off),
    }))

  test('with random items: sums agree, no cent is lost, and amounts match exact fractions', () => {
    let computed = 0
    fc.assert(
      fc.property(anyOffer, input => {
        let budget: ReturnType<typeof computeBudget>
        try {
          budget = computeBudget(input)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
          return
        }
        computed++
        const { content, subtotalCents, discountCents, taxCents, totalCents } = budget
        const items = content.sections.flatMap(section => section.items)
        const countedItems = items.filter(({ optional, selected }) => !optional || selected)
        expect(subtotalCents).toBe(sum(countedItems.map(one => one.subtotalCents)))
        expect(discountCents).toBe(sum(content.discounts.map(one => one.amountCents)))
        expect(taxCents).toBe(sum(content.taxes.map(one => one.amountCents)))
        expect(totalCents).toBe(subtotalCents - discountCents + taxCents)
        expect(discountCents).toBeLessThanOrEqual(subtotalCents)
        for (const { baseCents, rate, amountCents } of content.taxes) {
          const { units, places } = decimalOf(rate)
          const whole = 100n * 10n ** BigInt(places)
          const distance = 2n * (BigInt(baseCents) * units - BigInt(amountCents) * whole)
          expect(distance <= whole && distance >= -whole).toBe(true)
        }
        // a tax on every item has the whole amount after discounts as its base
        for (const tax of content.taxes)
          if (
            countedItems.every(({ taxes }) =>
              taxes.some(({ name, rate }) => name === tax.name && rate === tax.rate),
            )
          )
            expect(tax.baseCents).toBe(subtotalCents - discountCents)
        // computing the result again gives the same
        expect(computeBudget(content)).toEqual(budget)
      }),
      { numRuns: 500 },
    )
    expect(computed).toBeGreaterThan(100)
  })

  test('with one tax per item: the bases add up to the amount after discounts', () => {
    const once = fc
      .tuple(anyItem, fc.constantFrom(iva, reduced))
      .map(([one, tax]) => ({ ...one, taxes: [tax] }))
    fc.assert(
      fc.property(fc.array(once, { minLength: 1, maxLength: 12 }), rate, (items, off10) => {
        fc.pre(items.every(({ discount }) => discount?.kind !== 'AMOUNT'))
        const { content, subtotalCents, discountCents } = computeBudget(offer(items, [off(percent(off10))]))
        expect(sum(content.taxes.map(({ baseCents }) => baseCents))).toBe(subtotalCents - discountCents)
      }),
    )
  })
})

const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0)
