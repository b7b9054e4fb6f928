import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'

export type DoneMark = { item: string; done_until: string | null }

/** The primary key. An empty item stands for everything until `done_until`. */
export const listDoneMarks = sql<DoneMark, { personId: string }>(`
  select d.item, d.done_until from inbox_done d
  where d.organization_id = $organization and d.person_id = $personId limit ${limits.inboxMarks + 1}`)

/** The oldest marks make room for a new one. */
export const insertDoneMark = sql<never, { personId: string; item: string }>(`
  with surplus as (
    delete from inbox_done d where d.organization_id = $organization and d.person_id = $personId and d.item in (
      select o.item from inbox_done o where o.organization_id = $organization and o.person_id = $personId
        and o.item <> ''
      order by o.done_at desc offset ${limits.inboxMarks - 1})
  )
  insert into inbox_done (organization_id, person_id, item) values ($organization, $personId, $item)
  on conflict (organization_id, person_id, item) do nothing`)

/** Never moves back, and never beyond the present. */
export const setDoneUntil = sql<never, { personId: string; until: string }>(`
  insert into inbox_done as d (organization_id, person_id, item, done_until)
  values ($organization, $personId, '', least($until::timestamptz, now()))
  on conflict (organization_id, person_id, item) do update
    set done_until = greatest(d.done_until, excluded.done_until), done_at = now()
    where d.organization_id = $organization`)

// index inbox_done_at: an item is older than its mark, and no longer listed
const deleteOld = crossTenantSql<never>(
  'marks of all organizations expire',
  `delete from inbox_done where (organization_id, person_id, item) in (
     select d.organization_id, d.person_id, d.item from inbox_done d
     where d.done_at < now() - interval '${limits.inboxDays + 1} days' order by d.done_at limit 1000)`,
)
export async function deleteOldInboxMarks({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<void> {
  await crossTenant.rows(deleteOld)
}
