import { crossTenantSql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { isInRange } from '../../due.sql.ts'

const why = 'a dispatcher sends for all organizations whose shards it leases'

/** The settings of an endpoint that sending needs, and whether it is active. */
export type EndpointSettings = {
  application_id: string
  url: string
  is_open: boolean
  max_per_second: number | null
  is_ordered: boolean
  has_standard_headers: boolean
  scopes: string[]
  secrets: { id: string; sealed: string; state: string }[]
  is_failing: boolean
}

/** The current endpoints of some applications. A missing one was deleted. */
export const selectEndpoints = crossTenantSql<
  EndpointSettings,
  { organizationIds: string[]; applicationIds: string[] }
>(
  why,
  `select e.application_id, e.url,
     e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')} as is_open,
     e.max_per_second, e.is_ordered, e.has_standard_headers, a.scopes,
     (select coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed, 'state', s.state)), '[]')
      from webhook_secret s where s.organization_id = e.organization_id and s.application_id = e.application_id
        and s.state in ('CURRENT', 'PREPARED')) as secrets,
     (e.failing_since is not null or e.paused_for_failing_at > coalesce(e.recovered_at, '-infinity')) is true
       as is_failing
   from unnest($organizationIds::text[], $applicationIds::text[]) l (organization_id, application_id)
   join webhook_endpoint e on e.organization_id = l.organization_id and e.application_id = l.application_id
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id`,
)

/** Cancels due deliveries of an endpoint that was deleted, a limited number at a time. */
export const cancelAllDue = crossTenantSql<never, { shard: number; applicationId: string }>(
  why,
  `with due as (
     delete from webhook_due where (application_id, delivery_id) in (
       select application_id, delivery_id from webhook_due where shard = $shard and application_id = $applicationId
       order by due_at, delivery_id limit 1000)
     returning organization_key, application_id, delivery_id as first_id, delivery_id as last_id
   ), ranges as (
     delete from webhook_new_range where (shard, application_id, first_id) in (
       select shard, application_id, first_id from webhook_new_range
       where shard = $shard and application_id = $applicationId
       order by first_id limit 100)
     returning organization_key, application_id, first_id, last_id
   )
   update webhook_delivery w set status = 'CANCELLED', finished_at = now()
   from (select * from due union all select * from ranges) f where ${isInRange} and w.status = 'PENDING'`,
)
