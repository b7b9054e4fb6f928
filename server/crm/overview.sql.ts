import { openStatuses } from '#contract/crm/shapes.ts'
import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'

type Counts = { untouched: number; oldest_at: string | null; signed: number; ending: number }
const open = openStatuses.map(status => `'${status}'`).join()

// indexes lead_assigned and budget_status; each part reads at most overviewCount rows
const counts = sql<Counts, { personId: string }>(`
  select leads.untouched, leads.oldest_at, signed.count as signed, ending.count as ending
  from (
    select count(*) as untouched, min(own.updated_at) as oldest_at from (
      select l.updated_at from lead l
      where l.organization_id = $organization and l.assignee_id = $personId and l.status in (${open})
        and l.erased_at is null
      limit ${limits.overviewCount}) own
    where own.updated_at < now() - interval '${limits.overviewDays} days') leads
  cross join (
    select count(*) from (
      select b.signed_at from budget b where b.organization_id = $organization and b.status = 'SIGNED'
      order by b.created_at desc, b.id desc limit ${limits.overviewCount}) s
    where s.signed_at > now() - interval '${limits.overviewSignedDays} days') signed
  cross join (
    select count(*) from (
      select d.valid_until from budget d where d.organization_id = $organization and d.status = 'SENT'
      order by d.created_at desc, d.id desc limit ${limits.overviewCount}) v
    where v.valid_until between (now() at time zone 'UTC')::date
      and (now() at time zone 'UTC')::date + ${limits.overviewDays}) ending`)

/** The part of this area in the overview of a person (HOM-2). */
export async function crmOverview(db: Db, caller: Caller): Promise<Pick<Overview, 'leads' | 'budgets'>> {
  if (!caller.modules.has('crm') || !caller.permissions.has('CRM_VIEW')) return {}
  const { untouched, oldest_at, signed, ending } = await db.one(counts, { personId: caller.personId })
  return {
    ...(caller.capabilities.has('crm.leads') && { leads: { untouched, oldestAt: oldest_at } }),
    budgets: { signed, ending },
  }
}
