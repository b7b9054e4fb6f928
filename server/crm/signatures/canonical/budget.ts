/** A decimal number as text, without exponent, trailing zeros or "-0": '1', '2.5'. */
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
 * What a fingerprint is computed over: all of a budget that its client sees, as it is kept. Lists are in the order in
 * which they are shown, days are YYYY-MM-DD, money is in the smallest unit of the currency.
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
