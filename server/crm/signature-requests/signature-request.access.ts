import type { Db, Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import type { RequestSignerRow, SignatureRequestRow } from './signature-request.row.ts'
import { hasOpenRequest, requestOf, signersOf } from './signature-request.sql.ts'

type RequestWithSigners = { request: SignatureRequestRow; signers: RequestSignerRow[] }

/** A request of a budget with its signers, in order. Refuses SIGNATURE_REQUEST_NOT_FOUND. */
export async function requestFor(db: Db, budgetId: string, id: string): Promise<RequestWithSigners> {
  const [request, signers] = await Promise.all([requestOf(db, id), signersOf(db, [id])])
  if (request?.budget_id !== budgetId) fail('SIGNATURE_REQUEST_NOT_FOUND')
  return { request, signers }
}

/** The same with its budget, whose lock keeps all of them from changing. Refuses BUDGET_NOT_FOUND too. */
export async function lockRequest(
  tx: Tx,
  budgetId: string,
  id: string,
): Promise<RequestWithSigners & { budget: BudgetRow }> {
  const budget = await lockBudget(tx, budgetId)
  return { budget, ...(await requestFor(tx, budgetId, id)) }
}

/** Refuses SIGNATURE_REQUEST_OPEN if several people are signing a budget: a single signature would accept it. */
export async function assertNoOpenRequest(db: Db, budgetId: string): Promise<void> {
  if (await hasOpenRequest(db, budgetId)) fail('SIGNATURE_REQUEST_OPEN')
}
