import type { InboxItem } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstId } from '#platform/ids.ts'

const windowMs = limits.inboxDays * 86_400_000
const since = `now() - interval '${limits.inboxDays} days'`

// The primary key of lead_change from the first id on, of which at most inboxScanned rows are read
const assignedLeads = sql<InboxItem, { personId: string; firstChangeId: string }>(`
  select 'LEAD_ASSIGNED:' || c.id as id, 'LEAD_ASSIGNED' as kind, c.at, l.id as "subjectId", null as "parentId",
    coalesce(nullif(concat_ws(' ', l.first_name, l.last_name), ''), l.company, l.email) as title,
    a.name as "actorName", null as detail
  from (
    select k.id, k.lead_id, k.actor_id, k.changed, k.at from lead_change k
    where k.organization_id = $organization and k.id >= $firstChangeId
    order by k.id desc limit ${limits.inboxScanned}) c
  join lead l on l.organization_id = $organization and l.id = c.lead_id and l.assignee_id = $personId
    and l.erased_at is null
  left join actor_name a on a.organization_id = $organization and a.id = c.actor_id
  where 'assigneeId' = any (c.changed) and c.actor_id is distinct from $personId
  order by c.id desc limit ${limits.inboxItems}`)

// index budget_status, of which at most inboxScanned rows are read
const newest = (status: 'SIGNED' | 'DECLINED') => `(
    select k.id, k.status, k.code, k.title, k.owner_id, coalesce(k.signed_at, k.declined_at) as at, k.decline_reason
    from budget k where k.organization_id = $organization and k.status = '${status}'
    order by k.created_at desc, k.id desc limit ${limits.inboxScanned})`
const answeredBudgets = sql<InboxItem, { personId: string }>(`
  select 'BUDGET_' || b.status || ':' || b.id as id, 'BUDGET_' || b.status as kind, b.at, b.id as "subjectId",
    null as "parentId", b.code || ' ' || b.title as title, null as "actorName",
    case when b.status = 'DECLINED' then b.decline_reason end as detail
  from (${newest('SIGNED')} union all ${newest('DECLINED')}) b
  where b.owner_id = $personId and b.at > ${since} order by b.at desc limit ${limits.inboxItems}`)

/** The items of this area in the inbox of a person (HOM-6). */
export async function crmInbox(
  db: Db,
  { modules, capabilities, permissions, personId }: Caller,
): Promise<InboxItem[]> {
  if (!modules.has('crm') || !permissions.has('CRM_VIEW')) return []
  const [leads, budgets] = await Promise.all([
    capabilities.has('crm.leads')
      ? db.rows(assignedLeads, { personId, firstChangeId: firstId(nowMs() - windowMs) })
      : [],
    db.rows(answeredBudgets, { personId }),
  ])
  return [...leads, ...budgets]
}
