import type { Tx } from '#platform/db/database.ts'
import type { BudgetRow } from '../budgets/row.ts'
import { setBudgetStatus } from '../budgets/store.ts'
import { insertEvents } from './events/store.ts'
import { revokeOpenLinks } from './store.ts'

type Settled = {
  status: 'SIGNED' | 'DECLINED' | 'CANCELLED'
  /** A person of the organization; null: the signer. */
  actorId: string | null
  /** When it happened; now unless told. */
  at?: string
  /** Why it was declined. */
  reason?: string | null
}

/**
 * Takes a budget that this transaction has locked to where nothing more is asked of its client: the links that are still
 * open are revoked. The link that was used or declined is marked before.
 */
export async function settleBudget(
  tx: Tx,
  budgetId: string,
  { status, actorId, ...when }: Settled,
): Promise<BudgetRow> {
  const [budget, revoked] = await Promise.all([
    setBudgetStatus(tx, budgetId, status, when),
    revokeOpenLinks(tx, budgetId),
  ])
  if (revoked.length > 0)
    await insertEvents(
      tx,
      ...revoked.map(linkId => ({ budgetId, linkId, kind: 'LINK_REVOKED' as const, actorId })),
    )
  return budget
}
