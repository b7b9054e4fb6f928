import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, oneServerLock } from '#platform/data/statement.ts'
import { popularity, ratingRank, recentDays } from '../ranking.ts'

const why = 'the order of the catalogue depends on ratings and installs of all organizations'

// the same statement marks an installer and changes the count, so they never differ; listings are locked in a fixed
// order, so that runs cannot deadlock. Citus lets one transaction at a time write listings anyway, and cannot lock those
// that a writing subquery has found
const forgetChunk = crossTenantSql<{ n: number }, { most: number }>(
  why,
  `with old as (
     select i.organization_id, i.entry_id, i.person_id from market_installer i
     where i.is_recent and i.last_at < now() - interval '${recentDays} days'
     order by i.last_at limit $most ${oneServerLock('for update skip locked')}),
   gone as (
     update market_installer i set is_recent = false from old o
     where i.organization_id = o.organization_id and i.entry_id = o.entry_id and i.person_id = o.person_id
       and i.is_recent and i.last_at < now() - interval '${recentDays} days'
     returning i.entry_id),
   fewer as (select g.entry_id, count(*)::integer as n from gone g group by 1),
   held as (
     select l.entry_id from market_listing l where l.entry_id in (select entry_id from fewer)
     order by l.entry_id ${oneServerLock('for update')}),
   moved as (
     update market_listing l set recent_installers = l.recent_installers - f.n,
       popularity = ${popularity('(l.recent_installers - f.n)', 'l.approved_at')}
     from fewer f join held h on h.entry_id = f.entry_id where l.entry_id = f.entry_id)
   select count(*)::integer as n from gone`,
)

/**
 * Removes up to `limit` installers from the recent count whose last install is older than the period of POPULAR. True if
 * there may be more.
 */
export async function forgetOldInstallers(database: Database, limit = 1_000): Promise<boolean> {
  const { n } = await database.crossTenant.one(forgetChunk, { most: limit })
  return n === limit
}

/** Ranks follow the average of all ratings only if it changed by more than this. */
const minimumChange = 0.02

const computeAverage = crossTenantSql<{ is_due: boolean }>(
  why,
  `with due as (
     select m.average from market_rating_average m
     where m.computed_at < now() - interval '1 hour' for update skip locked),
   found as (
     select sum(l.rating_sum)::double precision / nullif(sum(l.rating_count), 0) as average
     from market_listing l where l.is_listed and exists (select from due)),
   moved as (
     update market_rating_average m set average = f.average from found f
     where abs(f.average - m.average) > ${minimumChange})
   select exists (select from due) as is_due`,
)
// all ranks that differ, including those left by an interrupted run or a concurrent rating
const rankChunk = crossTenantSql<{ last: string | null }, { after: string; most: number }>(
  why,
  `with chunk as (
     select l.entry_id from market_listing l where l.entry_id > $after order by l.entry_id limit $most),
   moved as (
     update market_listing l set rating_rank = ${ratingRank('l.rating_sum', 'l.rating_count', 'm.average')}
     from chunk c cross join market_rating_average m
     where l.entry_id = c.entry_id
       and l.rating_rank <> ${ratingRank('l.rating_sum', 'l.rating_count', 'm.average')})
   select max(c.entry_id) as last from chunk c`,
)
const setComputed = crossTenantSql<never>(why, 'update market_rating_average m set computed_at = now()')

/**
 * Recomputes the average of all ratings once an hour, and in chunks the ranks that differ. The next run continues an
 * interrupted one.
 */
export async function updateRatingRanks(
  database: Database,
  isClosing = () => false,
  limit = 1_000,
): Promise<void> {
  if (!(await database.crossTenant.one(computeAverage)).is_due) return
  for (let last: string | null = ''; last !== null; ) {
    if (isClosing()) return
    last = (await database.crossTenant.one(rankChunk, { after: last, most: limit })).last
  }
  await database.crossTenant.rows(setComputed)
}
