import type { SqlRunner } from './rows.ts'
import { insertRows } from './rows.ts'

/**
 * Sets existing counters to `used` calls, in this window and in the next, so that a test across the end of a
 * window does not matter. Affects all counters, or those whose bucket or caller matches the SQL pattern.
 */
export async function setUsed(
  server: SqlRunner,
  used: number,
  { bucket = '%', caller = '%' } = {},
): Promise<void> {
  await server.sql(
    `with used_up as (
       update rate_window set used = $1 where bucket like $2 and caller like $3 returning bucket, caller, starts_at)
     insert into rate_window (bucket, caller, starts_at, used)
     select bucket, caller, starts_at + length, $1
     from used_up, unnest(array['1 minute', '1 hour', '1 day']::interval[]) as length
     on conflict do nothing`,
    [used, bucket, caller],
  )
}

/** Counts `used` calls of a caller, in this window and in the next, which may begin before the reply. */
export async function plantUsed(
  server: SqlRunner,
  {
    bucket,
    caller,
    used,
    windowSeconds,
  }: { bucket: string; caller: string; used: number; windowSeconds: number },
): Promise<void> {
  const windowMs = windowSeconds * 1_000
  const startedMs = Date.now() - (Date.now() % windowMs)
  await insertRows(server, 'rate_window', [
    { bucket, caller, starts_at: new Date(startedMs), used },
    { bucket, caller, starts_at: new Date(startedMs + windowMs), used },
  ])
}
