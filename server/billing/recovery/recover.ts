import type { Till } from '../charges/till.ts'
import { type Due, type Looked, takeDue } from './store.ts'

/** So many at a time: each may wait for its gateway. */
const most = 8

/**
 * Looks at what is due: what nobody is at work on, or what takes its time. None is too old to be looked at. Answers how many
 * it looked at.
 */
export async function recover(
  till: Till,
  table: Looked,
  look: (place: { organizationId: string; id: string }, state: Due['state']) => Promise<unknown>,
): Promise<number> {
  const due = await takeDue(till.database, table, most)
  await Promise.all(
    due.map(async ({ organization_id: organizationId, id, state }) => {
      try {
        await look({ organizationId, id }, state)
      } catch (error) {
        // the others are not to wait for this one, which comes again
        till.log?.error({ organizationId, table, id, err: error }, 'what is due could not be looked at')
      }
    }),
  )
  return due.length
}
