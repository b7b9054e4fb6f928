import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { CrossTenantDb, Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstId } from '#platform/ids.ts'
import { countOpenScopeRequests } from './critical-scopes/scope-request.sql.ts'

const dayMs = 86_400_000

// the primary key of webhook_endpoint, and index webhook_delivery_problem from the first id on
const counts = sql<{ paused: number; failing: number; failed: number }, { firstDeliveryId: string }>(`
  with endpoint as materialized (
    select e.application_id, e.status, e.failed_in_row from webhook_endpoint e
    join application a on a.organization_id = $organization and a.id = e.application_id and a.deleted_at is null
    where e.organization_id = $organization)
  select count(*) filter (where e.status = 'HELD') as paused,
    count(*) filter (where e.status = 'ACTIVE' and e.failed_in_row > 0) as failing,
    (select count(*) from (
       select from endpoint n cross join lateral (
         select from webhook_delivery d
         where d.organization_id = $organization and d.application_id = n.application_id
           and d.problem = 'FAILED' and d.id >= $firstDeliveryId
         limit ${limits.overviewCount}) x
       limit ${limits.overviewCount}) f) as failed
  from endpoint e`)

/** The part of this area in the overview of a person (HOM-2). */
export async function integrationOverview(db: Db, caller: Caller): Promise<Pick<Overview, 'webhooks'>> {
  if (!caller.modules.has('integrations') || !caller.permissions.has('INTEGRATIONS_MANAGE')) return {}
  const { paused, failing, failed } = await db.one(counts, { firstDeliveryId: firstId(nowMs() - dayMs) })
  return { webhooks: { paused, failing, failedDeliveries: failed } }
}

/** The part of an operator: the requests for critical scopes of all organizations (HOM-2). */
export async function operatorOverview(
  db: CrossTenantDb,
  caller: Caller,
): Promise<Pick<Overview, 'scopeRequests'>> {
  if (!caller.isOperator) return {}
  return { scopeRequests: Math.min(await countOpenScopeRequests(db), limits.overviewCount) }
}
