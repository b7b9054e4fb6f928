import { setTimeout as sleep } from 'node:timers/promises'
import type { PostResult } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { type StoredAttemptRecord, toStoredRecord } from '../../attempt-record.ts'
import type { AttemptOutcome, DeliveryTrigger } from '../attempt-outcome.ts'
import type { EndpointQueue, QueuedDelivery } from '../endpoint-queue.ts'
import {
  type AttemptResultRow,
  type EndedRange,
  firstAttemptArgs,
  recordFirstAttempts,
  recordRetries,
  retryArgs,
} from './attempt-result.sql.ts'

/** The result of an attempt. */
export type AttemptResult = {
  queue: EndpointQueue
  delivery: QueuedDelivery
  epoch: number
  endedAt: number
  outcome: AttemptOutcome | null
  /** Null if a retry follows after `waitMs`. */
  final: AttemptResultRow['final']
  waitMs: number | null
  /** Undefined if nothing was sent. */
  posted: PostResult | undefined
  secretId: string | null
}

/** Records results in batches, one after another. */
export type AttemptResults = {
  add(result: AttemptResult): void
  /** Results that are not recorded yet, in total and of one shard. */
  pending(): number
  pendingOf(shard: number): number
  flushed(): Promise<void>
  /** Discards results that could not be recorded. */
  stop(): void
}

export type AttemptResultsOptions = {
  database: Database
  owner: string
  log: Pick<Log, 'warn' | 'error'>
  /** `isOurs` is false if another process owns the shard or the attempt was already recorded. */
  onRecorded(result: AttemptResult, isOurs: boolean): void
  onFlushed(): void
}

/** A statement costs about as much as 20 results. */
const batchWaitMs = 40
const maxBatch = 512
const retryAfterErrorMs = 250

export function openAttemptResults({
  database,
  owner,
  log,
  onRecorded,
  onFlushed,
}: AttemptResultsOptions): AttemptResults {
  let waiting: AttemptResult[] = []
  let inFlight: AttemptResult[] = []
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    while (waiting.length > 0 && !isStopped) {
      if (waiting.length < maxBatch) await sleep(batchWaitMs)
      inFlight = waiting.splice(0, maxBatch)
      // different statements record them, and nearly all are first attempts
      const [firsts, others] = [inFlight.filter(isFirst), inFlight.filter(result => !isFirst(result))]
      await Promise.all([firsts, others].filter(({ length }) => length > 0).map(record))
      inFlight = []
      onFlushed()
    }
    running = undefined
  }
  /** Retries until the database is back. Splits a batch that the database refuses, down to the single bad row. */
  async function record(batch: AttemptResult[]): Promise<void> {
    while (!isStopped) {
      try {
        const isOurs = await write(batch)
        for (const result of batch) onRecorded(result, isOurs(result))
        return
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if (!/^2[123]/.test(code)) {
          log.warn({ err: error }, 'results of webhook attempts wait for the database')
          await sleep(retryAfterErrorMs)
        } else if (batch.length > 1) {
          const half = batch.length >> 1
          await record(batch.slice(0, half))
          return record(batch.slice(half))
        } else {
          const [one] = batch as [AttemptResult]
          log.error(
            { err: error, deliveryId: one.delivery.deliveryId },
            'a webhook result could not be recorded; recording it without the response',
          )
          if (!one.posted) return onRecorded(one, false)
          one.posted = { ...one.posted, answer: '', headers: {}, error: 'The response could not be stored' }
          return write(batch).then(
            isOurs => onRecorded(one, isOurs(one)),
            () => onRecorded(one, false),
          )
        }
      }
    }
  }
  /** Returns a function that is true for the results that count. */
  async function write(batch: readonly AttemptResult[]): Promise<(result: AttemptResult) => boolean> {
    const at = monotonicMs()
    const rows = batch.map(result => rowOf(result, at))
    const { recorded } = (await (batch.every(isFirst)
      ? database.crossTenant.one(recordFirstAttempts, firstAttemptArgs(owner, rows, endedRanges(batch)))
      : database.crossTenant.one(recordRetries, retryArgs(owner, rows))))!
    if (recorded === null) return () => true
    const ours = new Set(recorded)
    return ({ delivery }) => ours.has(delivery.deliveryId)
  }

  return {
    add(result) {
      if (result.delivery.range) result.delivery.range.loadedCount--
      waiting.push(result)
      running ??= run()
    },
    pending: () => waiting.length + inFlight.length,
    pendingOf: shard => [...waiting, ...inFlight].filter(({ delivery }) => delivery.shard === shard).length,
    async flushed() {
      while (running && !isStopped) await running
    },
    stop() {
      isStopped = true
      waiting = []
    },
  }
}

function isFirst({ delivery }: AttemptResult): boolean {
  return delivery.range !== null
}

function endedRanges(batch: readonly AttemptResult[]): EndedRange[] {
  const ended = batch.filter(({ delivery }) => delivery.range?.loadedCount === 0)
  const byRange = new Map(ended.map(({ delivery }) => [delivery.range!, delivery]))
  return [...byRange].map(([{ firstId, lastId }, { applicationId, shard }]) => ({
    shard,
    applicationId,
    firstId,
    lastId,
  }))
}

function rowOf(
  { delivery, epoch, endedAt, final, outcome, posted, secretId, waitMs }: AttemptResult,
  at: number,
): AttemptResultRow {
  return {
    shard: delivery.shard,
    epoch,
    organizationId: delivery.organizationId,
    applicationId: delivery.applicationId,
    deliveryId: delivery.deliveryId,
    attempt: delivery.attempt,
    agoMs: at - endedAt,
    durationMs: posted?.durationMs ?? 0,
    waitMs,
    final,
    outcome,
    status: posted?.status ?? null,
    record: posted && outcome ? recordOf(delivery.trigger, outcome, posted, secretId) : null,
  }
}

function recordOf(
  trigger: DeliveryTrigger,
  outcome: AttemptOutcome,
  { address, answer, durationMs, error, headers, status, times }: PostResult,
  secretId: string | null,
): StoredAttemptRecord {
  const fields = { trigger, durationMs, timings: times, outcome, status, answer: answer || null }
  return toStoredRecord({ ...fields, answerHeaders: headers, address, secretId, error })
}
