import { listUninvoicedBudgets as contract, type UninvoicedBudget } from '#contract/billing/budgets.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { assertMayReadBudgets } from './invoice-of-budget.rules.ts'
import { listUninvoicedBudgets, type UninvoicedBudgetRow } from './uninvoiced-budget.sql.ts'

/** Lists signed budgets without an invoice (INV-43). */
export const listUninvoiced = query(contract, async ({ db, caller, query }) => {
  assertMayReadBudgets(caller)
  const { limit, offset } = pageOf(query)
  const { rows, total } = await listUninvoicedBudgets(db, { limit, offset })
  return { items: rows.map(show), total, limit, offset }
})

function show(budget: UninvoicedBudgetRow): UninvoicedBudget {
  return {
    id: budget.id,
    code: budget.code,
    title: budget.title,
    clientId: budget.client_id,
    clientName: budget.client_name,
    currency: budget.currency,
    totalCents: budget.total_cents,
    signedAt: budget.signed_at,
  }
}
