import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, oneServerLock } from '#platform/data/statement.ts'

// index chat_file_orphan
const removeOld = crossTenantSql<{ removed: number }, { limit: number }>(
  'background job for all organizations',
  `with old as (
     select f.organization_id, f.id from chat_file f
     where f.message_id is null and f.created_at < now() - interval '${limits.waitingChatFileHours} hours'
     order by f.created_at limit $limit ${oneServerLock('for update skip locked')}),
   gone as (
     delete from chat_file f using old
     where f.organization_id = old.organization_id and f.id = old.id and f.message_id is null
     returning f.organization_id, f.size),
   counted as (
     update chat_file_usage u set bytes = u.bytes - s.bytes
     from (select organization_id, sum(size) as bytes from gone group by organization_id) s
     where u.organization_id = s.organization_id)
   select count(*) as removed from gone`,
)

/** Deletes up to `limit` files that no message has taken in time (MSG-19). Returns how many. */
export async function deleteWaitingFiles(database: Database, limit = 1_000): Promise<number> {
  return (await database.crossTenant.one(removeOld, { limit })).removed
}
