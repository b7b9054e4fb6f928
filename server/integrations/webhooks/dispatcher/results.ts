import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/log.ts'
import type { Posted } from '#platform/outside/web/post.ts'
import type { Item, Lane } from './lane.ts'
import type { Outcome } from './outcome.ts'
import { settle } from './store.ts'

/** What came of a notice that was in hand. */
export type Result = {
  lane: Lane
  item: Item
  epoch: number
  endedAt: number
  outcome: Outcome | null
  /** Null: another attempt follows after `waitMs`. */
  final: 'DELIVERED' | 'FAILED' | 'NOT_AUTHORIZED' | null
  waitMs: number | null
  /** Undefined when nothing was sent. */
  posted: Posted | undefined
  secretId: string | null
}

/** Records results in batches: one statement at a time, with all that came meanwhile. */
export type Results = {
  add(result: Result): void
  /** How many are not recorded yet, and of one shard. */
  pending(): number
  pendingOf(shard: number): number
  flushed(): Promise<void>
  /** Gives up what could not be recorded. */
  stop(): void
}

export type ResultsOptions = {
  database: Database
  owner: string
  log: Pick<Log, 'warn' | 'error'>
  /** `isOurs` is false when another process has the shard now or the attempt was recorded before. */
  onSettled(result: Result, isOurs: boolean): void
  onFlushed(): void
}

const gatherMs = 10
const most = 512
const troubleMs = 250

export function openResults({ database, owner, log, onSettled, onFlushed }: ResultsOptions): Results {
  let waiting: Result[] = []
  let underWay: Result[] = []
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    if (waiting.length < most / 2) await sleep(gatherMs)
    while (waiting.length > 0 && !isStopped) {
      underWay = waiting.splice(0, most)
      await record(underWay)
      underWay = []
      onFlushed()
    }
    running = undefined
  }
  /** Until it is recorded: a database that is away comes back. Rows that it refuses are halved until they are alone. */
  async function record(batch: Result[]): Promise<void> {
    while (!isStopped) {
      try {
        const ours = new Set((await write(batch)).map(({ deliveryId }) => deliveryId))
        for (const result of batch) onSettled(result, ours.has(result.item.deliveryId))
        return
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if (!/^2[123]/.test(code)) {
          log.warn({ err: error }, 'results of notices wait for the database')
          await sleep(troubleMs)
        } else if (batch.length > 1) {
          const half = batch.length >> 1
          await record(batch.slice(0, half))
          return record(batch.slice(half))
        } else {
          const [one] = batch as [Result]
          log.error(
            { err: error, deliveryId: one.item.deliveryId },
            'a result could not be recorded as it was',
          )
          if (!one.posted) return onSettled(one, false)
          one.posted = { ...one.posted, answer: '', headers: {}, error: 'The answer could not be kept' }
          return write(batch).then(
            ours => onSettled(one, ours.length > 0),
            () => onSettled(one, false),
          )
        }
      }
    }
  }
  function write(batch: readonly Result[]) {
    const at = monotonicMs()
    let [from, to] = [batch[0]!.item.deliveryId, batch[0]!.item.deliveryId]
    for (const { item } of batch) {
      if (item.deliveryId < from) from = item.deliveryId
      if (item.deliveryId > to) to = item.deliveryId
    }
    return database.wide.rows(
      settle,
      owner,
      JSON.stringify(batch.map(result => columnsOf(result, at))),
      from,
      to,
    )
  }

  return {
    add(result) {
      waiting.push(result)
      running ??= run()
    },
    pending: () => waiting.length + underWay.length,
    pendingOf: shard => [...waiting, ...underWay].filter(({ item }) => item.shard === shard).length,
    async flushed() {
      while (running && !isStopped) await running
    },
    stop() {
      isStopped = true
      waiting = []
    },
  }
}

function columnsOf({ item, epoch, endedAt, final, outcome, posted, secretId, waitMs }: Result, at: number) {
  const { shard, organizationId, applicationId, deliveryId, attempt, trigger } = item
  return {
    ...{ shard, epoch, organizationId, applicationId, deliveryId, attempt, trigger },
    ...{ agoMs: at - endedAt, waitMs, final, outcome, secretId, unsent: posted === undefined },
    ...{
      durationMs: posted?.durationMs ?? 0,
      status: posted?.status ?? null,
      answer: posted?.answer || null,
    },
    ...{ headers: posted?.headers, times: posted?.times, address: posted?.address, error: posted?.error },
  }
}
