import type { RateLimit } from '#contract/operation.ts'
import type { Database, Db, Tx } from '../data/database.ts'
import { crossTenantSql, sql } from '../data/statement.ts'
import type { Caller } from './caller.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from './rate-limit-headers.ts'

const take = crossTenantSql<
  { used: number; seconds_left: number },
  [bucket: string, caller: string, windowSeconds: number, limit: number]
>(
  'a counter names its caller, who may have no organization yet',
  `insert into rate_window as w (bucket, caller, starts_at, used)
   values ($1, $2, to_timestamp(floor(extract(epoch from clock_timestamp()) / $3::int) * $3::int), 1)
   on conflict (bucket, caller, starts_at) do update set used = least(w.used + 1, $4::int + 1)
   returning used, ceil(extract(epoch from starts_at) + $3::int - extract(epoch from clock_timestamp()))::int as seconds_left`,
)

/**
 * Counts one call in the current window (clock hours, UTC days, minutes) and returns what is left. Throws QuotaExceeded
 * for the call after the last allowed one. Exact over all processes; database time.
 */
export async function countCall(
  database: Database,
  limit: RateLimit,
  caller: string,
): Promise<RateLimitState> {
  const row = (await database.wide.first(take, limit.bucket, caller, limit.windowSeconds, limit.times))!
  const secondsLeft = Math.max(1, row.seconds_left)
  if (row.used > limit.times) throw exceeded(limit, secondsLeft)
  return quotaAfter(limit, row.used, secondsLeft)
}

function quotaAfter(
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

function exceeded(
  { bucket, times, windowSeconds }: RateLimit,
  secondsLeft: number,
  more?: object,
): RateLimitExceeded {
  return new RateLimitExceeded(bucket, times, windowSeconds, secondsLeft, more)
}

type Taken = { used: number | null; starts_at: string; resets_at: string; seconds_left: number }

const span = `span as (
    select to_timestamp(floor(extract(epoch from clock_timestamp()) / $4::int) * $4::int) as starts_at
  )`
const ends = `s.starts_at, s.starts_at + make_interval(secs => $4::int) as resets_at,
    greatest(1, ceil(extract(epoch from s.starts_at) + $4::int - extract(epoch from clock_timestamp())))::int as seconds_left`
const allUsed = `exists (
    select from rate_window seen
    where seen.bucket = $3 and seen.caller = $1 || '/' || $2 and seen.starts_at = s.starts_at and seen.used >= $5::int)`

type Counter = [who: string, bucket: string, windowSeconds: number, times: number]
const look = sql<Taken, Counter>(`
  with ${span} select case when not ${allUsed} then 0 end as used, ${ends} from span s`)
// Looks before it waits: once all are used and committed a call is refused without waiting for those that run. The
// others wait for the one that holds the row, and see whether it succeeded
const takeInside = sql<Taken, Counter>(`
  with ${span}, taken as (
    insert into rate_window as w (bucket, caller, starts_at, used)
    select $3, $1 || '/' || $2, s.starts_at, 1 from span s
    where not ${allUsed}
    on conflict (bucket, caller, starts_at) do update set used = w.used + 1 where w.used < $5::int
    returning used
  )
  select (select t.used from taken t) as used, ${ends} from span s`)
const giveBack = sql<never, [who: string, bucket: string, startsAt: string]>(`
  update rate_window set used = used - 1
  where bucket = $3 and caller = $1 || '/' || $2 and starts_at = $4::timestamptz`)

/** A limit that only successful calls count against. */
export type SuccessLimit = {
  /** Refuses as `count` does, when all are used already. For work that begins before its transaction. */
  assertLeft(db: Db, caller: Caller): Promise<void>
  /**
   * Runs the calls of one caller one after the other. In the database they would wait for each other too, and each
   * would hold a connection meanwhile.
   */
  inTurn<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>
  /**
   * Counts one call inside the transaction of its work: what is rolled back is not counted. Travels with the first
   * statement of the work. Refuses the call after the last allowed one with 429; exact over all processes; database
   * time, and the window is a UTC day when it lasts one. `onQuota` receives what is left, also when the work fails.
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
  const inTurn = openTurns()
  function assertTaken({ used, resets_at, seconds_left }: Taken): number {
    if (used === null) throw exceeded(limit, seconds_left, { used: times, resetAt: resets_at })
    return used
  }
  return {
    async assertLeft(db, caller) {
      assertTaken((await db.first(look, whoOf(caller), bucket, windowSeconds, times))!)
    },
    inTurn: (caller, work) => inTurn(`${caller.organizationId}/${whoOf(caller)}`, work),
    async count(tx, caller, work, onQuota) {
      const who = whoOf(caller)
      tx.pending.uncounted = false
      const taken = tx
        .first(takeInside, who, bucket, windowSeconds, times)
        .then(row => ({ ...row!, used: assertTaken(row!) }))
      taken.catch(() => {})
      let isCounted = false
      try {
        const result = await work(after(taken, tx))
        isCounted = !tx.pending.uncounted && !tx.pending.isReplay
        if (!isCounted) await tx.run(giveBack, who, bucket, (await taken).starts_at)
        return result
      } finally {
        // whatever else the work may have found: over the limit it is this
        const { used, seconds_left } = await taken
        onQuota(quotaAfter(limit, isCounted ? used : used - 1, seconds_left))
      }
    },
  }
}

/** A limit of what an application does in one organization, and is given back when nothing came of it. */
export type SlotLimit = {
  /** Takes one inside the transaction, and tells which window it is of. Refuses with 429 when all are taken. */
  take(tx: Tx, applicationId: string): Promise<string>
  giveBack(tx: Tx, applicationId: string, startsAt: string): Promise<void>
}

export function slotLimit(limit: RateLimit): SlotLimit {
  const { bucket, times, windowSeconds } = limit
  return {
    async take(tx, applicationId) {
      const taken = (await tx.first(takeInside, applicationId, bucket, windowSeconds, times))!
      if (taken.used === null) throw exceeded(limit, taken.seconds_left)
      return taken.starts_at
    },
    async giveBack(tx, applicationId, startsAt) {
      await tx.run(giveBack, applicationId, bucket, startsAt)
    },
  }
}

/** Says that the call asked for what is there already, so that it does not count against its limit. */
export function markUncounted(tx: Tx): void {
  tx.pending.uncounted = true
}

function whoOf(caller: Caller): string {
  return caller.applicationId ?? caller.personId
}

/** Sends at once, and answers once the other has. */
function after(other: Promise<unknown>, tx: Tx): Tx {
  async function then<Answer>(answer: Promise<Answer>): Promise<Answer> {
    answer.catch(() => {})
    await other
    return answer
  }
  return {
    ...tx,
    rows: (statement, ...args) => then(tx.rows(statement, ...args)),
    first: (statement, ...args) => then(tx.first(statement, ...args)),
    run: (statement, ...args) => then(tx.run(statement, ...args)),
  }
}

/** Runs the work of each key in order, and that of different keys beside each other. */
function openTurns(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work)
    const done = mine.then(
      () => {},
      () => {},
    )
    last.set(key, done)
    try {
      return await mine
    } finally {
      if (last.get(key) === done) last.delete(key)
    }
  }
}
