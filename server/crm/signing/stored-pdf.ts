import { buffer } from 'node:stream/consumers'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, readWithin, StoreUnavailable } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import type { Services } from '#platform/services.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { renderBudgetPdf } from '../budgets/pdf.ts'
import { sha256 as digest } from '../signatures/canonical/digest.ts'

/** The services that storing a PDF needs. */
export type PdfStorageServices = Pick<Services, 'database' | 'files' | 'maxFileBytes' | 'log'>
/** A PDF in the file store, under its digest. */
export type StoredPdf = { sha256: string; size: number }

/**
 * Renders the PDF of a budget and stores it before any row refers to it (LNKS-2). Returns null on failure, because the budget can
 * be signed without a PDF (LNKS-3).
 */
export async function storeBudgetPdf(
  services: PdfStorageServices,
  db: Db,
  budget: BudgetRow,
): Promise<StoredPdf | null> {
  try {
    const pdf = await renderBudgetPdf(services.files, db, budget)
    const incoming = await services.files.receive(pdf, services.maxFileBytes)
    try {
      await storeObjects(services, [incoming])
      return { sha256: incoming.sha256, size: incoming.size }
    } finally {
      await incoming.discard()
    }
  } catch (error) {
    services.log?.warn(
      { err: error, budgetId: budget.id },
      'Could not store the PDF of a budget; it will be signed without one',
    )
    return null
  }
}

/** Reads a stored PDF and checks its digest, so that altered bytes are never shown. Throws StoreUnavailable. */
export async function readStoredPdf(files: Files, sha256: string): Promise<Buffer> {
  const bytes = await readWithin(files, sha256, limits.signedPdfReadMs, buffer).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('A stored PDF is missing', { cause: error })
  })
  if (digest(bytes) !== sha256) throw new StoreUnavailable('A stored PDF does not match its digest')
  return bytes
}
