import type { InboxItem } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'

// The primary key of webhook_endpoint. The time is part of the id: another pause is another item
const pausedWebhooks = sql<InboxItem>(`
  select 'WEBHOOK_PAUSED:' || e.application_id || ':' || (extract(epoch from e.paused_at) * 1000)::bigint as id,
    'WEBHOOK_PAUSED' as kind, e.paused_at as at, e.application_id as "subjectId", null as "parentId", a.name as title,
    null as "actorName", e.paused_reason as detail
  from webhook_endpoint e
  join application a on a.organization_id = $organization and a.id = e.application_id and a.deleted_at is null
  where e.organization_id = $organization and e.status = 'HELD'
    and e.paused_at > now() - interval '${limits.inboxDays} days'
  order by e.paused_at desc limit ${limits.inboxItems}`)

/** The items of this area in the inbox of a person (HOM-6). */
export async function integrationInbox(db: Db, { modules, permissions }: Caller): Promise<InboxItem[]> {
  if (!modules.has('integrations') || !permissions.has('INTEGRATIONS_MANAGE')) return []
  return db.rows(pausedWebhooks)
}
