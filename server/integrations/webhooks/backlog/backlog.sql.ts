import type { ServerHealth } from '#contract/identity/health.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { everyDue, firstDueSql } from '../due.sql.ts'

/** How far the dispatchers are behind, over all organizations. */
export type Backlog = { endpoints: number; oldestSeconds: number; freeShards: number }

const backlogOf = (due: string) => `behind as (
     select f.application_id, min(f.due_at) as due_at from ${due} f
     join webhook_endpoint e on e.organization_id = f.organization_key and e.application_id = f.application_id
     join application a on a.organization_id = e.organization_id and a.id = e.application_id
     join organization o on o.id = a.organization_id
     where f.due_at <= now() and e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')}
     group by f.application_id
   )
   select count(*) as endpoints, coalesce(extract(epoch from now() - min(b.due_at)), 0)::float8 as "oldestSeconds",
     (select count(*) from dispatch_shard s where s.lease_until < now()) as "freeShards"
   from behind b`

/** Paused endpoints do not count. */
export const readBacklog = crossTenantSql<Backlog>(
  'operators see how far behind the dispatchers are, without naming an organization',
  `with recursive ${firstDueSql('dispatch_shard s')}, ${backlogOf('first')}`,
  { onCitus: `with ${backlogOf(`(${everyDue})`)}` },
)

// the primary keys of both tables
const waiting = crossTenantSql<{ paused: number; scheduled: number }>(
  'operators see how much the dispatchers have before them, without naming an organization',
  `select (select count(*) from webhook_endpoint e where e.status = 'HELD') as paused,
     (select count(*) from (select 1 from webhook_due limit ${limits.overviewCount}) w) as scheduled`,
)

/** The state of all webhooks, for operators (OPR-11). */
export async function readWebhookBacklog({
  crossTenant,
}: Pick<Database, 'crossTenant'>): Promise<ServerHealth['webhooks']> {
  const [backlog, counts] = await Promise.all([crossTenant.one(readBacklog), crossTenant.one(waiting)])
  return {
    endpointsBehind: backlog.endpoints,
    oldestDueSeconds: backlog.oldestSeconds,
    shardsWithoutOwner: backlog.freeShards,
    pausedEndpoints: counts.paused,
    scheduledDeliveries: counts.scheduled,
  }
}
