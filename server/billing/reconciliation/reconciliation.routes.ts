import { countPayments, readReconciliation, settleDifference } from '#contract/billing/reconciliation.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { countPaymentProblems, loadReconciliation, markSettled } from './reconciliation.sql.ts'

export const read = query(readReconciliation, ({ db }) => loadReconciliation(db))

export const settle = command(settleDifference, async ({ tx, caller, params, body, audit }) => {
  const by = { by: caller.personId, reason: body.reason }
  const settled = (await markSettled(tx, params.id, by)) ?? fail('DIFFERENCE_NOT_FOUND')
  audit(params.id, ['settledAt'])
  return settled
})

/** For the server's operators. */
export const countForOperator = query(countPayments, async ({ params, services: { database } }) => {
  return (await countPaymentProblems(database.of(params.id))) ?? fail('ORGANIZATION_NOT_FOUND')
})
