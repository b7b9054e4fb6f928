import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { type BudgetRow, lockBudget } from '#server/crm/index.ts'
import { findInvoiceOfBudget } from './uninvoiced-budget.sql.ts'

/**
 * A signed budget that no invoice bills, locked so that another call waits until this one has written its invoice. Refuses
 * BUDGET_NOT_FOUND, BUDGET_NOT_SIGNED and BUDGET_INVOICED (INV-41).
 */
export async function lockBudgetToInvoice(tx: Tx, id: string): Promise<BudgetRow> {
  const budget = await lockBudget(tx, id)
  if (budget.status !== 'SIGNED') fail('BUDGET_NOT_SIGNED')
  const invoiceId = await findInvoiceOfBudget(tx, id)
  if (invoiceId !== undefined) fail('BUDGET_INVOICED', { invoiceId })
  return budget
}
