import { wideSql } from '#platform/db/statement.ts'
import { hasModule } from '#server/identity/index.ts'

/** How far the dispatchers are behind, all organizations together. */
export type Backlog = { endpoints: number; oldestSeconds: number; freeShards: number }

/** One look at the index for each application that has something due. What is held on purpose does not count. */
export const readBacklog = wideSql<Backlog>(
  'the operator is told how far behind the dispatchers are, and nothing of whose notices wait',
  `with recursive first as (
     select s.shard, f.* from dispatch_shard s cross join lateral (
       select d.application_id, d.organization_key, d.due_at from webhook_due d where d.shard = s.shard
       order by d.application_id, d.due_at, d.delivery_id limit 1) f
     union all
     select p.shard, f.* from first p cross join lateral (
       select d.application_id, d.organization_key, d.due_at from webhook_due d
       where d.shard = p.shard and d.application_id > p.application_id
       order by d.application_id, d.due_at, d.delivery_id limit 1) f
   ), behind as (
     select f.due_at from first f
     join webhook_endpoint e on e.organization_id = f.organization_key and e.application_id = f.application_id
     join application a on a.organization_id = e.organization_id and a.id = e.application_id
     join organization o on o.id = a.organization_id
     where f.due_at <= now() and e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')}
   )
   select count(*) as endpoints, coalesce(extract(epoch from now() - min(b.due_at)), 0)::float8 as "oldestSeconds",
     (select count(*) from dispatch_shard s where s.lease_until < now()) as "freeShards"
   from behind b`,
)
