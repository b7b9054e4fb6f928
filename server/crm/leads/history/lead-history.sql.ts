import type { LeadHistory } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

type HistoryRow = Omit<LeadHistory, 'actor'> & {
  actorKind: LeadHistory['actor']['kind']
  actorId: string | null
  actorName: string | null
}
// index lead_change_of; former members keep their names
const page = sql<HistoryRow, { leadId: string; limit: number; offset: number }>(`
  select h.id, h.action, h.actor_kind as "actorKind", h.actor_id as "actorId", coalesce(m.name, a.name) as "actorName",
    h.from_status as "fromStatus", h.to_status as "toStatus", h.changed, h.source, h.reason, h.at
  from (
    select c.* from lead_change c where c.organization_id = $organization and c.lead_id = $leadId
    order by c.at desc, c.id desc limit $limit offset $offset) h
  left join membership m on m.organization_id = $organization and m.person_id = h.actor_id and h.actor_kind = 'USER'
  left join application a on a.organization_id = $organization and a.id = h.actor_id and h.actor_kind = 'APP'
  order by h.at desc, h.id desc`)
const count = sql<{ n: number }, { leadId: string }>(`
  select count(*) as n from (
    select 1 from lead_change c where c.organization_id = $organization and c.lead_id = $leadId
    limit ${limits.pageOffset + limits.pageLimit}) h`)

/** A page of the history of a lead, latest first, and the total up to the last page. */
export async function historyOf(
  db: Db,
  leadId: string,
  limit: number,
  offset: number,
): Promise<{ items: LeadHistory[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page, { leadId, limit, offset }),
    db.one(count, { leadId }),
  ])
  const items = rows.map(({ actorKind: kind, actorId: id, actorName: name, ...row }) => ({
    ...row,
    actor: { kind, id, name },
  }))
  return { items, total: counted.n }
}
