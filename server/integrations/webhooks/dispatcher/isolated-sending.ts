import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/data/database.ts'
import type { QueuedDelivery } from './endpoint-queue.ts'
import { countStart } from './results/attempt-result.sql.ts'

/**
 * Sends one notice at a time and counts each start in the database before it, so that the one that ends its process is
 * known: for shards whose owners died. It costs a write for each notice, which nobody pays otherwise.
 */
export type IsolatedSending = {
  /**
   * Runs `work` when no other one runs. One that was begun too often is `DEADLY` instead, and one that is not due or not
   * ours any more `NOT_OURS`.
   */
  run<Result>(
    delivery: QueuedDelivery,
    epoch: number,
    work: () => Promise<Result>,
  ): Promise<Result | 'DEADLY' | 'NOT_OURS'>
}

const maxStarts = 3
/** What takes longer to be answered waits beside the next one: it did not end us when it was sent. */
const exclusiveMs = 1_000

export function openIsolatedSending(database: Database, owner: string): IsolatedSending {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run({ applicationId, attempt, deliveryId, organizationId, shard }, epoch, work) {
      const previous = last
      const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
      last = finished
      await previous
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
        if (counted.starts > maxStarts) return 'DEADLY'
        const working = work()
        void Promise.race([working, sleep(exclusiveMs, undefined, { ref: false })]).then(
          () => finish(),
          finish,
        )
        return await working
      } finally {
        finish()
      }
    },
  }
}
