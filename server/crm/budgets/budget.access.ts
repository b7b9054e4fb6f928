import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { allBudgetColumns, type BudgetRow } from './budget.row.ts'

const one = `select ${allBudgetColumns} from budget b where b.organization_id = $organization and b.id = $id`
const select = sql<BudgetRow, { id: string }>(one)
const lock = sql<BudgetRow, { id: string }>(`${one} for no key update`)

/** A budget of the organization. Refuses BUDGET_NOT_FOUND. */
export async function budgetFor(db: Db, id: string): Promise<BudgetRow> {
  return (await db.first(select, { id })) ?? fail('BUDGET_NOT_FOUND')
}

/** The same, locked against changes and signatures until the transaction ends. */
export async function lockBudget(tx: Tx, id: string): Promise<BudgetRow> {
  return (await tx.first(lock, { id })) ?? fail('BUDGET_NOT_FOUND')
}
