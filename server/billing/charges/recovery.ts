import { endUnmade, settle } from './settle.ts'
import { takeDue } from './store.ts'
import type { Till } from './till.ts'

/** So many at a time: each may wait for its gateway. */
const most = 8

/**
 * Looks at attempts that nobody is at work on, or whose outcome takes its time, and brings them in step with the gateway.
 * What was begun and never came to the gateway has failed; what was asked for and never answered is cancelled there,
 * unless it went through. None is too old to be looked at. Answers how many it looked at.
 */
export async function recoverCharges(till: Till): Promise<number> {
  const due = await takeDue(till.database, most)
  await Promise.all(
    due.map(async ({ organization_id: organizationId, id, state }) => {
      const place = { organizationId, id }
      try {
        await (state === 'CREATED' ? endUnmade(till, place) : settle(till, place, { isLate: true }))
      } catch (error) {
        // the others are not to wait for this one, which comes again
        till.log?.error({ organizationId, chargeId: id, err: error }, 'a charge could not be looked at')
      }
    }),
  )
  return due.length
}
