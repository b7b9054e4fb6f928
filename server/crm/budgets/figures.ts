import { computeBudgetFigures } from '#contract/crm/budgets.ts'
import { query } from '#platform/http/operation.ts'
import { issuerOf } from '../issuer/issuer.sql.ts'
import { budgetCurrency, normalizeOffer } from './budget.rules.ts'
import { computeBudget } from './compute.ts'

/** Computes the amounts that a budget would have, and stores nothing (BUD-21). */
export const figures = query(computeBudgetFigures, async ({ db, body }) => {
  const { sections = [], discounts = [] } = normalizeOffer(body)
  const { content, subtotalCents, discountCents, taxCents, totalCents } = computeBudget({
    sections,
    discounts,
  })
  return {
    currency: budgetCurrency(body.currency, await issuerOf(db)),
    sections: content.sections.map(({ items }) => ({
      items: items.map(item => ({ subtotalCents: item.subtotalCents })),
    })),
    discounts: content.discounts.map(({ amountCents }) => ({ amountCents })),
    taxes: content.taxes,
    subtotalCents,
    discountCents,
    taxCents,
    totalCents,
  }
})
