import { limits } from '#contract/limits.ts'
import type { Database } from './data/database.ts'
import { crossTenantSql } from './data/statement.ts'

const reason = 'operators see the state of the server, and no organization'

type Relay = {
  pending: number
  oldestSeconds: number
  quarantined: number
  leases: number
  freeLeases: number
}
// index outbox_order
const relay = crossTenantSql<Relay>(
  reason,
  `select w.pending, w."oldestSeconds", q.quarantined, l.leases, l."freeLeases" from (
     select count(*) as pending,
       coalesce(extract(epoch from clock_timestamp() - min(o.created_at)), 0)::float8 as "oldestSeconds"
     from (select created_at from outbox where created_at < 'infinity'
       order by created_at limit ${limits.overviewCount}) o) w
   cross join (
     select count(*) as quarantined
     from (select 1 from outbox where created_at = 'infinity' limit ${limits.overviewCount}) i) q
   cross join (
     select count(*) as leases,
       count(*) filter (where holder = '' or expires_at < clock_timestamp()) as "freeLeases"
     from relay_lease) l`,
)
type DatabaseState = { at: string; bytes: number; connections: { name: string; count: number }[] }
const databaseState = crossTenantSql<DatabaseState>(
  reason,
  `select now()::timestamptz(3) as at, pg_database_size(current_database()) as bytes,
     (select coalesce(json_agg(json_build_object('name', s.name, 'count', s.count) order by s.name), '[]') from (
        select coalesce(nullif(regexp_replace(a.application_name, '^(patio [a-z]+).*', '\\1'), ''), 'other') as name,
          count(*) as count
        from pg_stat_activity a where a.datname = current_database() group by 1
        order by 2 desc limit 20) s) as connections`,
)

/** The state of the outbox and of the database. */
export async function readPlatformHealth({
  crossTenant,
}: Pick<Database, 'crossTenant'>): Promise<{ relay: Relay; state: DatabaseState }> {
  const [row, state] = await Promise.all([crossTenant.one(relay), crossTenant.one(databaseState)])
  return { relay: row, state }
}
