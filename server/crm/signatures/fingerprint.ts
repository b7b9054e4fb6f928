import { isDeepStrictEqual } from 'node:util'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { computeBudget } from '../budgets/compute.ts'
import { fingerprint2 } from './canonical/v2.ts'

/** The fingerprint of a budget that is signed as data. Recomputes the amounts first, so that nobody signs inconsistent data. */
export function fingerprintToSign(budget: BudgetRow): string {
  const { content, ...figures } = computeBudget(budget.content)
  const storedFigures = {
    subtotalCents: budget.subtotal_cents,
    discountCents: budget.discount_cents,
    taxCents: budget.tax_cents,
    totalCents: budget.total_cents,
  }
  if (!isDeepStrictEqual(content, budget.content) || !isDeepStrictEqual(figures, storedFigures))
    throw new Error(`The amounts of budget ${budget.id} do not match its items`)
  return fingerprint2(budget)
}
