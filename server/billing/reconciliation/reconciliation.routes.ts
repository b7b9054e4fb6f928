import { countPayments, readReconciliation, settleDifference } from '#contract/billing/reconciliation.ts'
import { fail } from '#platform/fail.ts'
import { changes, reads } from '#platform/http/operation.ts'
import { paymentCounts, reconciliationOf, setSettled } from './reconciliation.sql.ts'

export const read = reads(readReconciliation, ({ db }) => reconciliationOf(db))

export const settle = changes(settleDifference, async ({ tx, caller, params, body, audits }) => {
  const by = { by: caller.personId, reason: body.reason }
  const settled = (await setSettled(tx, params.id, by)) ?? fail('DIFFERENCE_NOT_FOUND')
  audits(params.id, ['settledAt'])
  return settled
})

/** For operators of the server. */
export const countForOperator = reads(countPayments, async ({ params, world: { database } }) => {
  return (await paymentCounts(database.of(params.id))) ?? fail('ORGANIZATION_NOT_FOUND')
})
