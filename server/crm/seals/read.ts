import { type BudgetSeal, openSealedBudget, readBudgetSeal } from '#contract/crm/seals.ts'
import type { Files } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query, stream } from '#platform/http/operation.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pdfFileName } from '../budgets/pdf.ts'
import { readStoredPdf } from '../signing/stored-pdf.ts'
import { sealOf } from './budget-seal.sql.ts'

/** Shows the seal of a budget (SEAL-6). */
export const read = query(readBudgetSeal, async ({ db, params }): Promise<BudgetSeal> => {
  const { id } = await budgetFor(db, params.id)
  const row = await sealOf(db, id)
  if (!row) return { seal: null }
  const { sha256, ...seal } = row
  return { seal: { status: sha256 === null ? 'WAITING' : 'SEALED', ...seal } }
})

export const open = stream(openSealedBudget, async ({ db, params, services, reply }) => {
  const budget = await budgetFor(db, params.id)
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${sealedFileName(budget)}"`)
    .send(await sealedPdfOf(services.files, db, budget.id))
})

/** The sealed document of a budget. Refuses SEAL_NOT_FOUND; throws StoreUnavailable. */
export async function sealedPdfOf(files: Files, db: Db, budgetId: string): Promise<Buffer> {
  const sha256 = (await sealOf(db, budgetId))?.sha256
  return sha256 ? readStoredPdf(files, sha256) : fail('SEAL_NOT_FOUND')
}

/** The file name of a sealed document. */
export function sealedFileName(budget: Pick<BudgetRow, 'code'>): string {
  return `sellado-${pdfFileName(budget)}`
}
