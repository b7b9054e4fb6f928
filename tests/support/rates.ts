import type { TestServer } from './test-server.ts'

/**
 * Says of counters that exist already that `used` calls were counted, in this window and in the next: a test that runs
 * across the end of a minute, hour or day finds them all the same. Of all counters, or of those whose bucket or caller is
 * like the pattern of SQL that is given.
 */
export async function setUsed(
  server: Pick<TestServer, 'sql'>,
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
