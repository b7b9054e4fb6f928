import { crossTenantSql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { firstDueSql } from '../new-range.ts'

/** How far the dispatchers are behind, over all organizations. */
export type Backlog = { endpoints: number; oldestSeconds: number; freeShards: number }

/** Paused endpoints do not count. */
export const readBacklog = crossTenantSql<Backlog>(
  'operators see how far behind the dispatchers are, without naming an organization',
  `with recursive ${firstDueSql('dispatch_shard s')}, behind as (
     select f.application_id, min(f.due_at) as due_at from first f
     join webhook_endpoint e on e.organization_id = f.organization_key and e.application_id = f.application_id
     join application a on a.organization_id = e.organization_id and a.id = e.application_id
     join organization o on o.id = a.organization_id
     where f.due_at <= now() and e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')}
     group by f.application_id
   )
   select count(*) as endpoints, coalesce(extract(epoch from now() - min(b.due_at)), 0)::float8 as "oldestSeconds",
     (select count(*) from dispatch_shard s where s.lease_until < now()) as "freeShards"
   from behind b`,
)
