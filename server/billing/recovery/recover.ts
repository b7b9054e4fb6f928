import type { Till } from '../charges/till.ts'
import { type Due, type Looked, takeDue } from './recovery.sql.ts'

/** How many rows one process looks at simultaneously: each look may wait for its gateway. */
const mostAtOnce = 8

type Look = (place: { organizationId: string; id: string }, state: Due['state']) => Promise<unknown>

/** Looks again at the rows of one table that nobody works on, or whose outcome takes its time. No row is too old. */
export type Recovery = {
  /**
   * Starts a look at every row that is due, and answers how many. It waits for a free place, but not for the looks that
   * are under way: a gateway that does not answer must not delay the rows of other gateways.
   */
  takeUp(isClosing?: () => boolean): Promise<number>
  /** Resolves when no look is under way. */
  idle(): Promise<void>
}

export function openRecovery(till: Till, table: Looked, look: Look): Recovery {
  const looks = new Set<Promise<void>>()

  async function lookAt({ organization_id: organizationId, id, state }: Due): Promise<void> {
    try {
      await look({ organizationId, id }, state)
    } catch (error) {
      // the row becomes due again by itself
      till.log?.error({ organizationId, table, id, err: error }, 'what is due could not be looked at')
    }
  }

  return {
    async takeUp(isClosing = () => false) {
      let count = 0
      while (!isClosing()) {
        if (looks.size >= mostAtOnce) await Promise.race(looks)
        const due = await takeDue(till.database, table, mostAtOnce - looks.size)
        if (due.length === 0) break
        for (const row of due) {
          const looking = lookAt(row).finally(() => looks.delete(looking))
          looks.add(looking)
        }
        count += due.length
      }
      return count
    },
    async idle() {
      await Promise.all(looks)
    },
  }
}

/** Looks at everything that is due, once, and answers how many rows that were. */
export async function recoverOnce(recovery: Recovery): Promise<number> {
  const count = await recovery.takeUp()
  await recovery.idle()
  return count
}
