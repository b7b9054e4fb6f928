import type { Till } from '../charges/till.ts'
import { settleRefund } from './settle.ts'
import { takeDueParts } from './store.ts'

/** So many at a time: each may wait for its gateway. */
const most = 8

/**
 * Looks at parts of refunds that nobody is at work on, or whose outcome takes its time, and for a month at those that
 * succeeded, which banks may send back. Answers how many it looked at.
 */
export async function recoverRefunds(till: Till): Promise<number> {
  const due = await takeDueParts(till.database, most)
  await Promise.all(
    due.map(async ({ organization_id: organizationId, id }) => {
      try {
        await settleRefund(till, { organizationId, id }, { isLate: true })
      } catch (error) {
        // the others are not to wait for this one, which comes again
        till.log?.error({ organizationId, refundPartId: id, err: error }, 'a refund could not be looked at')
      }
    }),
  )
  return due.length
}
