/** A decimal number as a string, without exponent, trailing zeros or "-0": '1', '2.5'. */
type Decimal = string
type Tax = { name: string; rate: Decimal }
type Discount = { kind: 'PERCENT' | 'AMOUNT'; value: Decimal | number }
type Item = {
  name: string
  description: string | null
  quantity: Decimal
  unit: string | null
  unitPriceCents: number
  optional: boolean
  selected: boolean
  discount: Discount | null
  taxes: readonly Tax[]
  subtotalCents: number
}

/**
 * The data that fingerprints cover: the stored form of everything in a budget that its client sees. Lists are in display
 * order, days are YYYY-MM-DD, amounts are in the smallest unit of the currency.
 */
export type SignedBudget = {
  code: string
  title: string
  issue_date: string
  valid_until: string | null
  currency: string
  content: {
    sections: readonly { title: string | null; description: string | null; items: readonly Item[] }[]
    discounts: readonly (Discount & { name: string; amountCents: number })[]
    taxes: readonly (Tax & { baseCents: number; amountCents: number })[]
  }
  subtotal_cents: number
  discount_cents: number
  tax_cents: number
  total_cents: number
  conditions: string | null
  notes: string | null
}
