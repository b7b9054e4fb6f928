import type { BudgetContent } from '#contract/crm/budgets.ts'
import { limits } from '#contract/limits.ts'
import { type Decimal, decimalOf, roundedProduct } from '#platform/decimal.ts'
import { fail } from '#platform/fail.ts'

type Section = BudgetContent['sections'][number]
type Item = Section['items'][number]
type Discount = NonNullable<Item['discount']>

/** What is offered, before anything is computed of it. */
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
 * Every figure of an offer, in cents. An item is multiplied and discounted, then rounded once. The discounts of the whole
 * follow, each of what is left. What they take is shared out among the items that are taxed alike, to the cent, and each tax
 * is computed once of all that it is on. All rounding is half away from zero. Refuses VALIDATION_ERROR for a discount of
 * more than there is, and for figures below zero or above limits.budgetCents.
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
  if (amount > of) refuse(`${path}.value`, 'maximum', 'is more than there is to take it from')
  return amount
}

function checkedCents(cents: number, path: string): number {
  if (cents < 0) refuse(path, 'minimum', 'comes to less than nothing')
  if (cents > limits.budgetCents) refuse(path, 'maximum', `comes to more than ${limits.budgetCents} cents`)
  return cents
}

function refuse(path: string, code: string, message: string): never {
  return fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

/** Each tax once, in the order in which they first appear, of what is left of the items that it is on. */
function taxesOf(items: readonly Item[], remaining: number): BudgetContent['taxes'] {
  const groups = [...Map.groupBy(items, ({ taxes }) => taxes.map(taxKey).sort().join('\n')).values()]
  const weights = groups.map(group => sum(group.map(({ subtotalCents }) => subtotalCents)))
  const bases = new Map<string, number>()
  for (const [n, share] of allocate(remaining, weights).entries())
    for (const tax of groups[n]![0]!.taxes) bases.set(taxKey(tax), (bases.get(taxKey(tax)) ?? 0) + share)
  const each = new Map(items.flatMap(({ taxes }) => taxes).map(tax => [taxKey(tax), tax]))
  return [...each].map(([key, { name, rate }]) => {
    const baseCents = bases.get(key)!
    return { name, rate, baseCents, amountCents: Number(roundedProduct(baseCents, perCent(decimalOf(rate)))) }
  })
}

/** What a tax is told from others by. */
export const taxKey = ({ name, rate }: Item['taxes'][number]) => `${rate} ${name}`

/** A whole in parts that are to each other as `weights`: what is left over goes to those that were cut most, the first first. */
function allocate(whole: number, weights: readonly number[]): number[] {
  const all = BigInt(sum(weights))
  if (all === 0n) return weights.map(() => 0)
  const exact = weights.map(weight => BigInt(whole) * BigInt(weight))
  const parts = exact.map(share => Number(share / all))
  const over = whole - sum(parts)
  const byCut = exact.map((share, n) => ({ n, cut: share % all }))
  byCut.sort((a, b) => (a.cut === b.cut ? a.n - b.n : a.cut < b.cut ? 1 : -1))
  for (const { n } of byCut.slice(0, over)) parts[n]! += 1
  return parts
}

function sum(cents: readonly number[]): number {
  return cents.reduce((all, each) => all + each, 0)
}
