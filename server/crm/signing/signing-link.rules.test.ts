import { expect, test } from 'vitest'
import { only } from '#tests/support/elements.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { computeBudget } from '../budgets/compute.ts'
import { fingerprintToSign } from '../signatures/fingerprint.ts'
import { hasSamePdf } from './signing-link.rules.ts'

const item = {
  name: 'Work',
  description: null,
  quantity: '1.5',
  unit: null,
  unitPriceCents: 1_000,
  optional: false,
  selected: true,
  discount: null,
  taxes: [{ name: 'IVA', rate: '21' }],
}
const { content, ...figures } = computeBudget({
  sections: [{ title: null, description: null, items: [item] }],
  discounts: [],
})
const budget = {
  id: 'b',
  code: 'P-2026-0001',
  title: 'Web',
  client_id: 'c',
  issue_date: '2026-01-02',
  valid_until: null,
  currency: 'eur',
  content,
  conditions: null,
  notes: null,
  internal_notes: null,
  updated_at: '1',
  subtotal_cents: figures.subtotalCents,
  discount_cents: figures.discountCents,
  tax_cents: figures.taxCents,
  total_cents: figures.totalCents,
} as BudgetRow

test('two states of a budget have the same PDF if neither client nor content differ', () => {
  expect(hasSamePdf(budget, { ...budget, internal_notes: 'x', updated_at: '2' })).toBe(true)
  for (const more of [{ client_id: 'd' }, { title: 'web' }, { notes: '' }])
    expect(hasSamePdf(budget, { ...budget, ...more })).toBe(false)
})

test('amounts that do not match the items cannot be signed', () => {
  expect(fingerprintToSign(budget)).toMatch(/^[0-9a-f]{64}$/)
  const section = only(content.sections)
  const dearer = { ...section, items: [{ ...only(section.items), subtotalCents: 1_501 }] }
  for (const more of [
    { subtotal_cents: 1 },
    { discount_cents: 1 },
    { tax_cents: 1 },
    { total_cents: 1 },
    { content: { ...content, sections: [dearer] } },
  ])
    expect(() => fingerprintToSign({ ...budget, ...more })).toThrow('do not match')
})
