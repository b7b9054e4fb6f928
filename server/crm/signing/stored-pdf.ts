import { buffer } from 'node:stream/consumers'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, readWithin, StoreUnavailable } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/database.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import type { Services } from '#platform/http/operation.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { renderBudgetPdf } from '../budgets/pdf.ts'
import { sha256 as digest } from '../signatures/canonical/digest.ts'

/** What freezing needs of the world. */
export type PdfStorageServices = Pick<Services, 'database' | 'files' | 'maxFileBytes' | 'log'>
/** A PDF that lies in the store of files, durable, under its digest. */
export type StoredPdf = { sha256: string; size: number }

/**
 * Makes the PDF of a budget and stores it, before any row names it (LNKS-2). Null when that fails: the budget can be
 * signed without it (LNKS-3).
 */
export async function storeBudgetPdf(
  services: PdfStorageServices,
  db: Db,
  budget: BudgetRow,
): Promise<StoredPdf | null> {
  try {
    const pdf = await renderBudgetPdf(db, budget)
    const incoming = await services.files.receive(pdf, services.maxFileBytes)
    try {
      await storeObjects(services, [incoming])
      return { sha256: incoming.sha256, size: incoming.size }
    } finally {
      await incoming.discard()
    }
  } catch (error) {
    services.log?.warn({ err: error, budgetId: budget.id }, 'a budget is to be signed without its PDF')
    return null
  }
}

/**
 * The bytes that were frozen, and no others: nobody is shown what lies there by accident or malice. Throws
 * StoreUnavailable.
 */
export async function readStoredPdf(files: Files, sha256: string): Promise<Buffer> {
  const bytes = await readWithin(files, sha256, limits.signedPdfReadMs, buffer).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('A document that is to be signed is not there', { cause: error })
  })
  if (digest(bytes) !== sha256) throw new StoreUnavailable('A document is not what was frozen')
  return bytes
}
