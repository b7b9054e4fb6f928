import type { PaymentContext } from '../charges/payment-context.ts'
import { claimDue, type DueRow, type PolledTable } from './polling.sql.ts'

/** How many rows a process polls simultaneously: each poll may wait for its gateway. */
const maxConcurrent = 8

type PollRow = (ref: { organizationId: string; id: string }, state: DueRow['state']) => Promise<unknown>

/** Polls the rows of one table that no request works on, or whose result takes long. It never gives a row up. */
export type Poller = {
  /**
   * Starts a poll of every row that is due, and returns their number. It waits for free capacity, but not for polls
   * in progress: a gateway that does not answer must not delay the rows of others.
   */
  pollDue(isClosing?: () => boolean): Promise<number>
  /** Resolves when no poll is in progress. */
  idle(): Promise<void>
}

export function openPoller(context: PaymentContext, table: PolledTable, pollRow: PollRow): Poller {
  const polls = new Set<Promise<void>>()

  async function poll({ organization_id: organizationId, id, state }: DueRow): Promise<void> {
    try {
      await pollRow({ organizationId, id }, state)
    } catch (error) {
      // the row becomes due again when its lease ends
      context.log?.error({ organizationId, table, id, err: error }, 'a row could not be polled')
    }
  }

  return {
    async pollDue(isClosing = () => false) {
      let count = 0
      while (!isClosing()) {
        if (polls.size >= maxConcurrent) await Promise.race(polls)
        const due = await claimDue(context.database, table, maxConcurrent - polls.size)
        if (due.length === 0) break
        for (const row of due) {
          const polling = poll(row).finally(() => polls.delete(polling))
          polls.add(polling)
        }
        count += due.length
      }
      return count
    },
    async idle() {
      await Promise.all(polls)
    },
  }
}

/** Polls everything that is due once, and returns the number of rows. */
export async function pollOnce(poller: Poller): Promise<number> {
  const count = await poller.pollDue()
  await poller.idle()
  return count
}
