import type { RateLimit } from '#contract/operation.ts'
import type { Database } from '../data/database.ts'
import type { Db, Tx } from '../data/db.ts'
import { secondsSince1970 } from '../data/later.ts'
import { crossTenantSql, sql } from '../data/statement.ts'
import type { Caller } from './caller.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from './rate-limit-headers.ts'

const incrementWindow = crossTenantSql<
  { used: number; seconds_left: number },
  { bucket: string; caller: string; windowSeconds: number; limit: number }
>(
  'callers of counted limits may have no organization',
  `insert into rate_window as w (bucket, caller, starts_at, used)
   values ($bucket, $caller, to_timestamp(floor(extract(epoch from now()) / $windowSeconds::int) * $windowSeconds::int), 1)
   on conflict (bucket, caller, starts_at) do update set used = least(w.used + 1, $limit::int + 1)
   returning used, ceil(${secondsSince1970('w.starts_at')} + $windowSeconds::int - ${secondsSince1970('now()')})::int as seconds_left`,
)

/**
 * Counts one call in the current window (clock hours, UTC days, minutes) and returns what is left. Throws
 * RateLimitExceeded beyond the limit. Exact over all processes; uses database time.
 */
export async function countCall(
  database: Database,
  limit: RateLimit,
  caller: string,
): Promise<RateLimitState> {
  const row = await database.crossTenant.one(incrementWindow, {
    bucket: limit.bucket,
    caller,
    windowSeconds: limit.windowSeconds,
    limit: limit.times,
  })
  const secondsLeft = Math.max(1, row.seconds_left)
  if (row.used > limit.times) throw rateLimitExceeded(limit, secondsLeft)
  return rateLimitState(limit, row.used, secondsLeft)
}

function rateLimitState(
  { bucket, times, windowSeconds }: RateLimit,
  used: number,
  resetSeconds: number,
): RateLimitState {
  return {
    name: bucket,
    policy: rateLimitPolicy(bucket, times, windowSeconds),
    remaining: Math.max(0, times - used),
    resetSeconds,
  }
}

function rateLimitExceeded(
  { bucket, times, windowSeconds }: RateLimit,
  secondsLeft: number,
  extra?: object,
): RateLimitExceeded {
  return new RateLimitExceeded(bucket, times, windowSeconds, secondsLeft, extra)
}

type WindowCount = { used: number | null; starts_at: string; resets_at: string; seconds_left: number }

const currentWindow = `span as (
    select to_timestamp(floor(extract(epoch from clock_timestamp()) / $windowSeconds::int) * $windowSeconds::int) as starts_at
  )`
const windowEnd = `s.starts_at, s.starts_at + make_interval(secs => $windowSeconds::int) as resets_at,
    greatest(1, ceil(extract(epoch from s.starts_at) + $windowSeconds::int - extract(epoch from clock_timestamp())))::int as seconds_left`
const isUsedUp = `exists (
    select from rate_window seen
    where seen.bucket = $bucket and seen.caller = $organization || '/' || $who and seen.starts_at = s.starts_at and seen.used >= $times::int)`

type CounterArgs = { who: string; bucket: string; windowSeconds: number; times: number }
const readWindow = sql<WindowCount, CounterArgs>(`
  with ${currentWindow} select case when not ${isUsedUp} then 0 end as used, ${windowEnd} from span s`)
// Checks before it waits: once the limit is used up by commits, a call is refused without waiting for running
// calls. Otherwise it waits for the holder of the row and sees whether that call succeeded
const incrementIfBelow = sql<WindowCount, CounterArgs>(`
  with ${currentWindow}, taken as (
    insert into rate_window as w (bucket, caller, starts_at, used)
    select $bucket, $organization || '/' || $who, s.starts_at, 1 from span s
    where not ${isUsedUp}
    on conflict (bucket, caller, starts_at) do update set used = w.used + 1 where w.used < $times::int
    returning used
  )
  select (select t.used from taken t) as used, ${windowEnd} from span s`)
const decrementWindow = sql<never, { who: string; bucket: string; startsAt: string }>(`
  update rate_window set used = used - 1
  where bucket = $bucket and caller = $organization || '/' || $who and starts_at = $startsAt::timestamptz`)

/** A limit that only successful calls count against. */
export type SuccessLimit = {
  /** Refuses if the limit is used up, like `count`. For work that starts before its transaction. */
  assertLeft(db: Db, caller: Caller): Promise<void>
  /**
   * Runs the calls of one caller one after the other. In the database they would also wait for each other,
   * each with a connection.
   */
  inTurn<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>
  /**
   * Counts one call inside the transaction of its work, so that a rollback undoes the count. Sent with the
   * first statement of the work. Refuses with 429 beyond the limit. Exact over all processes; uses database
   * time, and a window of a day is a UTC day. `onQuota` receives what is left, also if the work fails.
   */
  count<Result>(
    tx: Tx,
    caller: Caller,
    work: (tx: Tx) => Promise<Result>,
    onQuota: (quota: RateLimitState) => void,
  ): Promise<Result>
}

export function successLimit(limit: RateLimit): SuccessLimit {
  const { bucket, times, windowSeconds } = limit
  const inTurn = openKeyedQueue()
  function assertWithinLimit({ used, resets_at, seconds_left }: WindowCount): number {
    if (used === null) throw rateLimitExceeded(limit, seconds_left, { used: times, resetAt: resets_at })
    return used
  }
  return {
    async assertLeft(db, caller) {
      assertWithinLimit(
        await db.one(readWindow, { who: rateLimitCallerOf(caller), bucket, windowSeconds, times }),
      )
    },
    inTurn: (caller, work) => inTurn(`${caller.organizationId}/${rateLimitCallerOf(caller)}`, work),
    async count(tx, caller, work, onQuota) {
      const rateLimitCaller = rateLimitCallerOf(caller)
      tx.pending.uncounted = false
      const counted = tx
        .first(incrementIfBelow, { who: rateLimitCaller, bucket, windowSeconds, times })
        .then(row => ({ ...row!, used: assertWithinLimit(row!) }))
      counted.catch(() => {})
      let isCounted = false
      try {
        const result = await work(delayResults(counted, tx))
        isCounted = !tx.pending.uncounted && !tx.pending.isReplay
        if (!isCounted)
          await tx.run(decrementWindow, { who: rateLimitCaller, bucket, startsAt: (await counted).starts_at })
        return result
      } finally {
        // beyond the limit, this error replaces any other error of the work
        const { used, seconds_left } = await counted
        onQuota(rateLimitState(limit, isCounted ? used : used - 1, seconds_left))
      }
    },
  }
}

/** A limit on an application's actions in one organization. An action without effect is released. */
export type SlotLimit = {
  /**
   * Takes one slot inside the transaction and returns the start of its window. Refuses with 429 if none is
   * left.
   */
  take(tx: Tx, applicationId: string): Promise<string>
  release(tx: Tx, applicationId: string, startsAt: string): Promise<void>
}

export function slotLimit(limit: RateLimit): SlotLimit {
  const { bucket, times, windowSeconds } = limit
  return {
    async take(tx, applicationId) {
      const counted = await tx.one(incrementIfBelow, {
        who: applicationId,
        bucket,
        windowSeconds,
        times,
      })
      if (counted.used === null) throw rateLimitExceeded(limit, counted.seconds_left)
      return counted.starts_at
    },
    async release(tx, applicationId, startsAt) {
      await tx.run(decrementWindow, { who: applicationId, bucket, startsAt })
    },
  }
}

/** Marks a call that changed nothing, so that it does not count against its limit. */
export function markUncounted(tx: Tx): void {
  tx.pending.uncounted = true
}

function rateLimitCallerOf(caller: Caller): string {
  return caller.applicationId ?? caller.personId
}

/** Sends statements at once, and resolves them after the other promise. */
function delayResults(other: Promise<unknown>, tx: Tx): Tx {
  async function then<Answer>(answer: Promise<Answer>): Promise<Answer> {
    answer.catch(() => {})
    await other
    return answer
  }
  return {
    ...tx,
    rows: (statement, ...values) => then(tx.rows(statement, ...values)),
    first: (statement, ...values) => then(tx.first(statement, ...values)),
    one: (statement, ...values) => then(tx.one(statement, ...values)),
    run: (statement, ...values) => then(tx.run(statement, ...values)),
  }
}

/** Runs the work of each key in order, and different keys concurrently. */
function openKeyedQueue(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const done = result.then(
      () => {},
      () => {},
    )
    last.set(key, done)
    try {
      return await result
    } finally {
      if (last.get(key) === done) last.delete(key)
    }
  }
}
