import { setTimeout as sleep } from 'node:timers/promises'
import type { PostResult } from '#platform/adapters/http-client/post.ts'
import { type Batches, openBatches } from '#platform/batches.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { firstOf } from '#platform/required.ts'
import { type StoredAttemptRecord, toStoredRecord } from '../../attempt-record.ts'
import type { DeliveryTrigger, NewRange } from '../../due-delivery.ts'
import type { EndedAttempt } from '../attempt.ts'
import type { AttemptOutcome } from '../sending/attempt-outcome.ts'
import {
  type AttemptResultRow,
  type EndedRange,
  firstAttemptArgs,
  recordFirstAttempts,
  recordRetries,
  retryArgs,
} from './attempt-result.sql.ts'

export type AttemptResultsOptions = {
  database: Database
  owner: string
  log: Pick<Log, 'warn' | 'error'>
  /** `isOurs` is false if another process owns the shard or the attempt was already recorded. */
  onRecorded(attempt: EndedAttempt, isOurs: boolean): void
  onFlushed(): void
}

/** A statement costs about as much as 20 results. */
const batchWaitMs = 40
const maxBatch = 512
/** Far more than the results that a dispatcher leaves unrecorded before it stops sending. */
const maxPending = 100_000
const retryAfterErrorMs = 250

/** Records the results of attempts in batches, one after another. */
export class AttemptResults {
  readonly #options: AttemptResultsOptions
  readonly #batches: Batches<EndedAttempt, void>
  #isStopped = false

  constructor(options: AttemptResultsOptions) {
    this.#options = options
    this.#batches = openBatches({
      // different statements record them, and nearly all are first attempts
      keyOf: attempt => (isInRange(attempt) ? 'first attempts' : 'others'),
      handle: batch => this.#record(batch),
      maxBatch,
      maxPending,
      maxConcurrent: 2,
      collectMs: waiting => (waiting < maxBatch ? batchWaitMs : 0),
      isOfOneItem: isRefused,
      onHandled: options.onFlushed,
    })
  }

  add(attempt: EndedAttempt): void {
    const { range } = attempt.delivery.due
    if (range) range.loadedCount--
    void this.#batches.add(attempt)
  }

  /** The number of results that are not recorded yet. */
  pending(): number {
    return this.#batches.pending()
  }
  isAnyPendingOf(shard: number): boolean {
    return this.#batches.isAnyPending(({ delivery }) => delivery.shard === shard)
  }

  /** Resolves when the results of now are recorded. */
  flushed(): Promise<void> {
    return this.#batches.drained()
  }

  /** Discards results that could not be recorded. */
  stop(): void {
    this.#isStopped = true
  }

  /** Repeats until the database is back. Rejects if the database refuses one of several results. */
  async #record(batch: readonly EndedAttempt[]): Promise<undefined[]> {
    while (!this.#isStopped) {
      try {
        await this.#write(batch)
        break
      } catch (error) {
        if (!isRefused(error)) {
          this.#options.log.warn({ err: error }, 'results of webhook attempts wait for the database')
          await sleep(retryAfterErrorMs)
        } else if (batch.length > 1) throw error
        else {
          await this.#recordWithoutResponse(firstOf(batch), error)
          break
        }
      }
    }
    return batch.map(() => undefined)
  }

  /** Records a result that the database refused without the response of the receiver, or gives it up. */
  async #recordWithoutResponse(attempt: EndedAttempt, error: unknown): Promise<void> {
    const { log, onRecorded } = this.#options
    log.error(
      { err: error, deliveryId: attempt.delivery.deliveryId },
      'a webhook result could not be recorded; recording it without the response',
    )
    const { end } = attempt
    if (end.outcome === null) return onRecorded(attempt, false)
    const posted = { ...end.posted, answer: '', headers: {}, error: 'The response could not be stored' }
    const shortened = { ...attempt, end: { ...end, posted } }
    await this.#write([shortened]).catch(() => onRecorded(shortened, false))
  }

  /** Writes results of one kind, and reports which of them count. */
  async #write(batch: readonly EndedAttempt[]): Promise<void> {
    const { database, onRecorded, owner } = this.#options
    const now = monotonicMs()
    const rows = batch.map(attempt => rowOf(attempt, now))
    const { recorded } = batch.every(isInRange)
      ? await database.crossTenant.one(recordFirstAttempts, firstAttemptArgs(owner, rows, endedRanges(batch)))
      : await database.crossTenant.one(recordRetries, retryArgs(owner, rows))
    const ours = recorded && new Set(recorded)
    for (const attempt of batch) onRecorded(attempt, ours === null || ours.has(attempt.delivery.deliveryId))
  }
}

/** True for an error of the data (SQLSTATE classes 21 to 23), which a repetition does not change. */
function isRefused(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^2[123]/.test(code)
}

/** True for the first attempt of a delivery that has no row of webhook_due. */
function isInRange({ delivery }: EndedAttempt): boolean {
  return delivery.due.range !== null
}

function endedRanges(batch: readonly EndedAttempt[]): EndedRange[] {
  const byRange = new Map<NewRange, EndedRange>()
  for (const { delivery } of batch) {
    const { applicationId, due, shard } = delivery
    const { range } = due
    if (range?.loadedCount !== 0) continue
    const { firstId, lastId } = range
    byRange.set(range, { shard, applicationId, firstId, lastId })
  }
  return [...byRange.values()]
}

function rowOf({ delivery, end, endedAt, endpoint, epoch }: EndedAttempt, now: number): AttemptResultRow {
  const { applicationId, deliveryId, due, organizationId, shard } = delivery
  const { final, outcome, posted, waitMs } = end
  return {
    shard,
    epoch,
    organizationId,
    applicationId,
    deliveryId,
    attempt: due.attempt,
    agoMs: now - endedAt,
    durationMs: posted?.durationMs ?? 0,
    waitMs,
    final,
    outcome,
    status: posted?.status ?? null,
    record: outcome && recordOf(due.trigger, outcome, posted, endpoint.signers.current.id),
  }
}

function recordOf(
  trigger: DeliveryTrigger,
  outcome: AttemptOutcome,
  { address, answer, durationMs, error, headers, status, times }: PostResult,
  secretId: string,
): StoredAttemptRecord {
  const fields = { trigger, durationMs, timings: times, outcome, status, answer: answer || null }
  return toStoredRecord({ ...fields, answerHeaders: headers, address, secretId, error })
}
