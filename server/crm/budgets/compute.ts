import type { BudgetContent } from '#contract/crm/budgets.ts'
import { limits } from '#contract/limits.ts'
import { type Decimal, decimalOf, roundedProduct } from '#platform/decimal.ts'
import { fail } from '#platform/fail.ts'
import { firstOf, lookUp } from '#platform/required.ts'

type Section = BudgetContent['sections'][number]
type Item = Section['items'][number]
type Discount = NonNullable<Item['discount']>

/** The sections and discounts of a budget without computed amounts. */
export type BudgetOffer = {
  sections: (Omit<Section, 'items'> & { items: Omit<Item, 'subtotalCents'>[] })[]
  discounts: Omit<BudgetContent['discounts'][number], 'amountCents'>[]
}
export type ComputedBudget = {
  content: BudgetContent
  subtotalCents: number
  discountCents: number
  taxCents: number
  totalCents: number
}

/**
 * Computes all amounts of a budget, in cents. Each item is multiplied, discounted and rounded once. The discounts of the
 * budget follow, each on the remaining amount. They are allocated to the groups of items with the same taxes, to the cent, and
 * each tax is computed once on its base. Rounding is half away from zero. Refuses VALIDATION_ERROR for a discount larger than
 * its base, and for amounts below zero or above limits.budgetCents.
 */
export function computeBudget({ sections, discounts }: BudgetOffer): ComputedBudget {
  const priced = sections.map((section, s) => ({
    ...section,
    items: section.items.map((item, n) => {
      const path = `sections.${s}.items.${n}`
      return { ...item, subtotalCents: checkedCents(subtotalOf(item, path), path) }
    }),
  }))
  const countedItems = priced
    .flatMap(({ items }) => items)
    .filter(({ optional, selected }) => !optional || selected)
  const subtotalCents = checkedCents(sum(countedItems.map(item => item.subtotalCents)), 'sections')
  let remaining = subtotalCents
  const appliedDiscounts = discounts.map((discount, n) => {
    const amountCents = amountOf(discount, remaining, `discounts.${n}`)
    remaining -= amountCents
    return { ...discount, amountCents }
  })
  const taxes = taxesOf(countedItems, remaining)
  const taxCents = sum(taxes.map(({ amountCents }) => amountCents))
  return {
    content: { sections: priced, discounts: appliedDiscounts, taxes },
    subtotalCents,
    discountCents: subtotalCents - remaining,
    taxCents,
    totalCents: checkedCents(remaining + taxCents, 'sections'),
  }
}

const hundred = decimalOf('100')
const perCent = ({ units, places }: Decimal): Decimal => ({ units, places: places + 2 })

function subtotalOf(
  { quantity, unitPriceCents, discount }: Omit<Item, 'subtotalCents'>,
  path: string,
): number {
  const times = decimalOf(quantity)
  if (discount?.kind === 'PERCENT') {
    const { units, places } = decimalOf(String(discount.value))
    const remaining = perCent({ units: hundred.units * 10n ** BigInt(places) - units, places })
    return Number(roundedProduct(unitPriceCents, times, remaining))
  }
  const price = Number(roundedProduct(unitPriceCents, times))
  return discount ? price - amountOf(discount, price, `${path}.discount`) : price
}

function amountOf({ kind, value }: Discount, of: number, path: string): number {
  const amount =
    kind === 'PERCENT' ? Number(roundedProduct(of, perCent(decimalOf(String(value))))) : Number(value)
  if (amount > of) refuse(`${path}.value`, 'maximum', 'is larger than the amount that it reduces')
  return amount
}

function checkedCents(cents: number, path: string): number {
  if (cents < 0) refuse(path, 'minimum', 'results in a negative amount')
  if (cents > limits.budgetCents) refuse(path, 'maximum', `results in more than ${limits.budgetCents} cents`)
  return cents
}

function refuse(path: string, code: string, message: string): never {
  return fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

/** Items with the same taxes, their sum, and what the discounts of the budget leave of it. */
type TaxGroup = { taxes: Item['taxes']; subtotalCents: number; remainingCents: number }

/** The groups of items with the same taxes, in the order of first appearance; `remaining` is allocated to them. */
export function taxGroupsOf(items: readonly Item[], remaining: number): TaxGroup[] {
  const byTaxes = Map.groupBy(items, ({ taxes }) => taxes.map(taxKey).sort().join('\n'))
  const groups = Array.from(byTaxes.values(), group => ({
    taxes: firstOf(group).taxes,
    subtotalCents: sum(group.map(({ subtotalCents }) => subtotalCents)),
  }))
  return allocate(remaining, groups, ({ subtotalCents }) => subtotalCents).map(([group, remainingCents]) => ({
    ...group,
    remainingCents,
  }))
}

/** Computes each tax on its items after discounts, in the order of first appearance. */
function taxesOf(items: readonly Item[], remaining: number): BudgetContent['taxes'] {
  const bases = new Map<string, number>()
  for (const { taxes, remainingCents } of taxGroupsOf(items, remaining))
    for (const tax of taxes) bases.set(taxKey(tax), (bases.get(taxKey(tax)) ?? 0) + remainingCents)
  const each = new Map(items.flatMap(({ taxes }) => taxes).map(tax => [taxKey(tax), tax]))
  return [...each].map(([key, { name, rate }]) => {
    const baseCents = lookUp(bases, key)
    return { name, rate, baseCents, amountCents: Number(roundedProduct(baseCents, perCent(decimalOf(rate)))) }
  })
}

/** Identifies a tax by rate and name. */
export const taxKey = ({ name, rate }: Item['taxes'][number]) => `${rate} ${name}`

/** Splits an amount in proportion to the weights of parts. Remaining cents go to those with the largest remainders, first ones first. */
function allocate<Part>(
  whole: number,
  parts: readonly Part[],
  weightOf: (part: Part) => number,
): [Part, number][] {
  const all = BigInt(sum(parts.map(weightOf)))
  if (all === 0n) return parts.map(part => [part, 0])
  const shares = parts.map((part, n) => {
    const exact = BigInt(whole) * BigInt(weightOf(part))
    return { part, n, cents: Number(exact / all), cut: exact % all }
  })
  const over = whole - sum(shares.map(({ cents }) => cents))
  const byCut = shares.toSorted((a, b) => (a.cut === b.cut ? a.n - b.n : a.cut < b.cut ? 1 : -1))
  const increased = new Set(byCut.slice(0, over))
  return shares.map(share => [share.part, share.cents + (increased.has(share) ? 1 : 0)])
}

function sum(cents: readonly number[]): number {
  return cents.reduce((all, each) => all + each, 0)
}
