import { setTimeout as sleep } from 'node:timers/promises'
import type { PostResult } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { type KeptRecord, keptOf } from '../../attempt-record.ts'
import type { Item, Lane } from '../lane.ts'
import type { Outcome, Trigger } from '../outcome.ts'
import {
  type EndedRange,
  type SettleRow,
  settleAgain,
  settleArgs,
  settleFirsts,
} from './attempt-result.sql.ts'

/** What came of a notice that was in hand. */
export type Result = {
  lane: Lane
  item: Item
  epoch: number
  endedAt: number
  outcome: Outcome | null
  /** Null: another attempt follows after `waitMs`. */
  final: SettleRow['final']
  waitMs: number | null
  /** Undefined when nothing was sent. */
  posted: PostResult | undefined
  secretId: string | null
}

/** Records results in batches: one after another, each with all that came meanwhile. */
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

/** A statement costs about as much as 20 results in it. */
const gatherMs = 40
const most = 512
const troubleMs = 250

export function openResults({ database, owner, log, onSettled, onFlushed }: ResultsOptions): Results {
  let waiting: Result[] = []
  let underWay: Result[] = []
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    while (waiting.length > 0 && !isStopped) {
      if (waiting.length < most) await sleep(gatherMs)
      underWay = waiting.splice(0, most)
      // they are recorded by different statements, and nearly all are of the one kind
      const [firsts, others] = [underWay.filter(isFirst), underWay.filter(result => !isFirst(result))]
      await Promise.all([firsts, others].filter(({ length }) => length > 0).map(record))
      underWay = []
      onFlushed()
    }
    running = undefined
  }
  /** Until it is recorded: a database that is away comes back. Rows that it refuses are halved until they are alone. */
  async function record(batch: Result[]): Promise<void> {
    while (!isStopped) {
      try {
        const isOurs = await write(batch)
        for (const result of batch) onSettled(result, isOurs(result))
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
            isOurs => onSettled(one, isOurs(one)),
            () => onSettled(one, false),
          )
        }
      }
    }
  }
  /** Answers with what tells which of them count. */
  async function write(batch: readonly Result[]): Promise<(result: Result) => boolean> {
    const at = monotonicMs()
    const rows = batch.map(result => rowOf(result, at))
    const { recorded } = (await (batch.every(isFirst)
      ? database.wide.first(settleFirsts, ...settleArgs(owner, rows, endedIn(batch)))
      : database.wide.first(settleAgain, ...settleArgs(owner, rows))))!
    if (recorded === null) return () => true
    const ours = new Set(recorded)
    return ({ item }) => ours.has(item.deliveryId)
  }

  return {
    add(result) {
      if (result.item.range) result.item.range.inHand--
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

function isFirst({ item }: Result): boolean {
  return item.range !== null
}

function endedIn(batch: readonly Result[]): EndedRange[] {
  const ended = batch.filter(({ item }) => item.range?.inHand === 0)
  const byRange = new Map(ended.map(({ item }) => [item.range!, item]))
  return [...byRange].map(([{ firstId, lastId }, { applicationId, shard }]) => ({
    shard,
    applicationId,
    firstId,
    lastId,
  }))
}

function rowOf(
  { item, epoch, endedAt, final, outcome, posted, secretId, waitMs }: Result,
  at: number,
): SettleRow {
  return {
    shard: item.shard,
    epoch,
    organizationId: item.organizationId,
    applicationId: item.applicationId,
    deliveryId: item.deliveryId,
    attempt: item.attempt,
    agoMs: at - endedAt,
    durationMs: posted?.durationMs ?? 0,
    waitMs,
    final,
    outcome,
    status: posted?.status ?? null,
    record: posted && outcome ? recordOf(item.trigger, outcome, posted, secretId) : null,
  }
}

function recordOf(
  trigger: Trigger,
  outcome: Outcome,
  { address, answer, durationMs, error, headers, status, times }: PostResult,
  secretId: string | null,
): KeptRecord {
  const said = { trigger, durationMs, timings: times, outcome, status, answer: answer || null }
  return keptOf({ ...said, answerHeaders: headers, address, secretId, error })
}
