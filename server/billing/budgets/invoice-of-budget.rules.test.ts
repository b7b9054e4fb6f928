import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { computeBudget } from '#server/crm/index.ts'
import { only } from '#tests/support/elements.ts'
import { amountsOf } from '../invoices/amounts.ts'
import { linesOfBudget } from './invoice-of-budget.rules.ts'

const tax = fc.constantFrom(
  { name: 'IVA', rate: '21' },
  { name: 'IVA', rate: '10' },
  { name: 'IRPF', rate: '-15' },
  { name: 'RE', rate: '5.2' },
)
const percent = fc.integer({ min: 0, max: 10_000 }).map(n => String(n / 100))
const item = fc
  .record({
    name: fc.constant('Work'),
    description: fc.constantFrom(null, 'In detail'),
    quantity: fc.integer({ min: 0, max: 99_999 }).map(n => String(n / 100)),
    unit: fc.constantFrom(null, 'h'),
    unitPriceCents: fc.integer({ min: 0, max: 1_000_000 }),
    optional: fc.boolean(),
    selected: fc.boolean(),
    taxes: fc.uniqueArray(tax, { maxLength: 3 }),
    percent: fc.option(percent),
    takesOff: fc.boolean(),
  })
  .map(({ percent, takesOff, ...one }) => {
    const price = Math.floor(one.unitPriceCents * Number(one.quantity))
    const amount = { kind: 'AMOUNT' as const, value: Math.floor(price / 3) }
    const discount =
      percent !== null ? { kind: 'PERCENT' as const, value: percent } : takesOff ? amount : null
    return { ...one, discount }
  })
const section = fc.array(item, { maxLength: 6 }).map(items => ({ title: null, description: null, items }))
const budgetDiscounts = fc.array(
  percent.map(value => ({ name: 'Offer', kind: 'PERCENT' as const, value })),
  { maxLength: 3 },
)

test('an invoice has the bases, taxes and total of its budget, to the cent', () => {
  fc.assert(
    fc.property(fc.array(section, { maxLength: 3 }), budgetDiscounts, (sections, discounts) => {
      // a withheld tax of all items may leave less than nothing, which a budget refuses
      const budget = computeBudget({ sections, discounts })
      const amounts = amountsOf(
        linesOfBudget({
          content: budget.content,
          subtotal_cents: budget.subtotalCents,
          discount_cents: budget.discountCents,
        }),
      )
      expect(amounts.subtotal_cents).toBe(budget.subtotalCents - budget.discountCents)
      expect(amounts.tax_cents).toBe(budget.taxCents)
      expect(amounts.total_cents).toBe(budget.totalCents)
      const bySum = (taxes: typeof amounts.taxes) =>
        taxes.map(({ name, rate, baseCents, amountCents }) => [name, rate, baseCents, amountCents]).sort()
      expect(bySum(amounts.taxes)).toEqual(bySum(budget.content.taxes))
    }),
    { numRuns: 300 },
  )
})

test('a long text is cut at a character', () => {
  const { content, subtotalCents } = computeBudget({
    sections: [
      {
        title: null,
        description: null,
        items: [
          {
            name: 'x',
            description: '😀'.repeat(limits.budgetText / 2),
            quantity: '1',
            unit: null,
            unitPriceCents: 100,
            optional: false,
            selected: true,
            discount: null,
            taxes: [],
          },
        ],
      },
    ],
    discounts: [],
  })
  const line = only(linesOfBudget({ content, subtotal_cents: subtotalCents, discount_cents: 0 }))
  expect([...line.description]).toHaveLength(limits.invoiceLineText)
  expect(line.description.isWellFormed()).toBe(true)
  expect(line.description).toMatch(/😀…$/u)
})
