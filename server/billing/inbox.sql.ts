import type { InboxItem } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstId } from '#platform/ids.ts'

const windowMs = limits.inboxDays * 86_400_000

// the primary key of charge_attempt from the first id on, of which at most inboxScanned rows are read
const failedCharges = sql<InboxItem, { firstAttemptId: string }>(`
  select 'CHARGE_FAILED:' || c.id as id, 'CHARGE_FAILED' as kind, c.ended_at as at, i.id as "subjectId",
    null as "parentId", i.number as title, a.name as "actorName", c.failure_code as detail
  from (
    select k.id, k.invoice_id, k.application_id, k.state, k.ended_at, k.failure_code from charge_attempt k
    where k.organization_id = $organization and k.id >= $firstAttemptId
    order by k.id desc limit ${limits.inboxScanned}) c
  join invoice i on i.organization_id = $organization and i.id = c.invoice_id
  left join actor_name a on a.organization_id = $organization and a.id = c.application_id
  where c.state = 'FAILED' order by c.id desc limit ${limits.inboxItems}`)

/** The items of this area in the inbox of a person (HOM-6). */
export async function billingInbox(db: Db, { modules, permissions }: Caller): Promise<InboxItem[]> {
  if (!modules.has('finance') || !permissions.has('BILLING_VIEW')) return []
  return db.rows(failedCharges, { firstAttemptId: firstId(nowMs() - windowMs) })
}
