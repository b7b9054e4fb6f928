import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/data/database.ts'
import type { Item } from './lane.ts'
import { countStart } from './results/attempt-result.sql.ts'

/**
 * Sends one notice at a time and counts each start in the database before it, so that the one that ends its process is
 * known: for shards whose owners died. It costs a write for each notice, which nobody pays otherwise.
 */
export type Care = {
  /**
   * Runs `work` when no other one runs. One that was begun too often is `DEADLY` instead, and one that is not due or not
   * ours any more `NOT_OURS`.
   */
  run<Result>(item: Item, epoch: number, work: () => Promise<Result>): Promise<Result | 'DEADLY' | 'NOT_OURS'>
}

const mostStarts = 3
/** What takes longer to be answered waits beside the next one: it did not end us when it was sent. */
const aloneMs = 1_000

export function openCare(database: Database, owner: string): Care {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run({ applicationId, attempt, deliveryId, organizationId, shard }, epoch, work) {
      const before = last
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      last = left
      await before
      try {
        const counted = await database.wide.first(
          countStart,
          owner,
          shard,
          epoch,
          organizationId,
          applicationId,
          deliveryId,
          attempt,
        )
        if (!counted) return 'NOT_OURS'
        if (counted.starts > mostStarts) return 'DEADLY'
        const working = work()
        void Promise.race([working, sleep(aloneMs, undefined, { ref: false })]).then(() => leave(), leave)
        return await working
      } finally {
        leave()
      }
    },
  }
}
