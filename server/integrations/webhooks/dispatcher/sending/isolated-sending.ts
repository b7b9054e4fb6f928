import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/data/database.ts'
import type { DueDelivery } from '../../due-delivery.ts'
import { countStart } from '../results/attempt-result.sql.ts'

/**
 * Sends one delivery at a time for shards whose owners crashed. Counts each start in the database first, which reveals
 * the delivery that crashes its process. Costs a write per delivery, so other shards do not use it.
 */
export type IsolatedSending = {
  /**
   * Runs `work` when no other one runs. Returns `DEADLY` for a delivery that was started too often, and `NOT_OURS` for
   * one that is no longer due or no longer owned by this process.
   */
  run<Result>(
    delivery: DueDelivery,
    epoch: number,
    work: () => Promise<Result>,
  ): Promise<Result | 'DEADLY' | 'NOT_OURS'>
}

const maxStarts = 3
/** After this time the next delivery starts: the request was sent without crashing the process. */
const exclusiveMs = 1_000

export function openIsolatedSending(database: Database, owner: string): IsolatedSending {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run({ applicationId, deliveryId, due, organizationId, shard }, epoch, work) {
      const previous = last
      const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
      last = finished
      await previous
      try {
        const counted = await database.crossTenant.first(countStart, {
          owner,
          shard,
          epoch,
          organizationId,
          applicationId,
          deliveryId,
          attempt: due.attempt,
        })
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
