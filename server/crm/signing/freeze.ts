import type { Db } from '#platform/db/database.ts'
import { keepObjects } from '#platform/keep.ts'
import type { World } from '#platform/serve.ts'
import { budgetPdf } from '../budgets/document.ts'
import type { BudgetRow } from '../budgets/row.ts'
import { clientFor } from '../clients/access.ts'
import { issuerOf } from '../issuer/store.ts'

/** A PDF that lies in the store of files, durable, under its digest. */
export type Frozen = { sha256: string; size: number }

/**
 * Makes the PDF of a budget and keeps it, before any row names it. Null when that fails: the budget can be signed
 * without. Document 3, hashVersion 2 and 3.
 */
export async function freeze(world: World, db: Db, budget: BudgetRow): Promise<Frozen | null> {
  try {
    const [issuer, client] = await Promise.all([issuerOf(db), clientFor(db, budget.client_id)])
    const pdf = await budgetPdf(budget, issuer, client)
    const incoming = await world.files.receive(pdf, world.maxFileBytes)
    try {
      await keepObjects(world, [incoming])
      return { sha256: incoming.sha256, size: incoming.size }
    } finally {
      await incoming.discard()
    }
  } catch (error) {
    world.log?.warn({ err: error, budgetId: budget.id }, 'a budget is to be signed without its PDF')
    return null
  }
}
