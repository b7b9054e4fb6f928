import type { Tx } from '#platform/data/db.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import { revokeLinks } from '../signing/settle-budget.ts'
import { eraseLinksOf } from '../signing/signing-link.sql.ts'
import { budgetsWaitingFor, eraseRequestSigners } from './signature-request.sql.ts'

/**
 * Erases name, e-mail, IP address and user agent of a person from links and requests that they did not sign, revokes their open
 * links, and stops requests that wait for them. Their signatures stay, because they are evidence of a contract.
 */
export async function eraseSigner(tx: Tx, addresses: readonly string[]): Promise<void> {
  const lower = addresses.map(address => address.toLowerCase())
  for (const budgetId of await budgetsWaitingFor(tx, lower)) {
    await lockBudget(tx, budgetId)
    // a signature may have completed it since
    if ((await budgetsWaitingFor(tx, lower)).includes(budgetId))
      await revokeLinks(tx, budgetId, null, { status: 'STOPPED', stopReason: 'SIGNER_ERASED' })
  }
  await eraseRequestSigners(tx, lower)
  await eraseLinksOf(tx, lower)
}
