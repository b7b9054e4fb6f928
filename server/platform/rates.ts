import type { RateLimit } from '#contract/endpoint.ts'
import { monotonicMs } from './clock.ts'
import type { Database } from './db/database.ts'
import { wideSql } from './db/statement.ts'
import { fail } from './fail.ts'

const take = wideSql<
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
 * Counts one call in the current window (clock hours, UTC days, minutes) and refuses the call after the last
 * allowed one with 429. Exact over all processes; database time.
 */
export async function takeRate(database: Database, limit: RateLimit, caller: string): Promise<void> {
  const row = await database.wide.first(take, limit.bucket, caller, limit.windowSeconds, limit.times)
  if (row && row.used > limit.times) refuse(limit.times, limit.windowSeconds, Math.max(1, row.seconds_left))
}

function refuse(times: number, windowSeconds: number, retryAfterSeconds: number): never {
  fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds, limit: times, windowSeconds })
}

/** The general ceiling of each caller in one process: a token bucket that holds one tenth of a minute's worth. */
export type Ceilings = { take(caller: string, perMinute: number): void }

export function ceilings(factor: number): Ceilings {
  type Bucket = { tokens: number; at: number }
  const buckets = new Map<string, Bucket>()
  return {
    take(caller, perMinute) {
      if (factor === 0) return
      const size = Math.max(20, (perMinute * factor) / 10)
      const at = monotonicMs()
      let bucket = buckets.get(caller)
      if (!bucket) {
        // a full bucket and an absent one are the same, so forgetting all of them is always right enough
        if (buckets.size >= 100_000) buckets.clear()
        bucket = { tokens: size, at }
        buckets.set(caller, bucket)
      }
      const perMs = (perMinute * factor) / 60_000
      bucket.tokens = Math.min(size, bucket.tokens + (at - bucket.at) * perMs)
      bucket.at = at
      if (bucket.tokens < 1)
        refuse(perMinute * factor, 60, Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)))
      bucket.tokens -= 1
    },
  }
}
