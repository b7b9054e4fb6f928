import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { popularity, ratingRank, recentDays } from '../ranking.ts'

const why = 'the catalogue is ordered by what people of all organizations did'

// an installer counts in the same statement in which it is marked, so the two never differ; listings are locked in one
// order, so that two of these never wait for each other in a circle
const forgetChunk = crossTenantSql<{ n: number }, [most: number]>(
  why,
  `with old as (
     select i.organization_id, i.entry_id, i.person_id from market_installer i
     where i.is_recent and i.last_at < now() - interval '${recentDays} days'
     order by i.last_at limit $1 for update skip locked),
   gone as (
     update market_installer i set is_recent = false from old o
     where i.organization_id = o.organization_id and i.entry_id = o.entry_id and i.person_id = o.person_id
     returning i.entry_id),
   fewer as (select g.entry_id, count(*)::integer as n from gone g group by 1),
   held as (
     select l.entry_id from market_listing l where l.entry_id in (select entry_id from fewer)
     order by l.entry_id for update),
   moved as (
     update market_listing l set recent_installers = l.recent_installers - f.n,
       popularity = ${popularity('(l.recent_installers - f.n)', 'l.approved_at')}
     from fewer f join held h on h.entry_id = f.entry_id where l.entry_id = f.entry_id)
   select count(*)::integer as n from gone`,
)

/**
 * Takes up to `most` installers whose last install is longer ago than POPULAR looks back out of the count. True when
 * there may be more.
 */
export async function forgetOldInstallers(database: Database, limit = 1_000): Promise<boolean> {
  const { n } = (await database.wide.first(forgetChunk, limit))!
  return n === limit
}

/** Ranks follow the mean of all ratings only when it moved by more than this. */
const minimumChange = 0.02

const computeAverage = crossTenantSql<{ is_due: boolean }>(
  why,
  `with due as (
     select m.average from market_rating_average m where m.computed_at < now() - interval '1 hour' for update skip locked),
   found as (
     select sum(l.rating_sum)::double precision / nullif(sum(l.rating_count), 0) as average
     from market_listing l where l.is_listed and exists (select from due)),
   moved as (
     update market_rating_average m set average = f.average from found f where abs(f.average - m.average) > ${minimumChange})
   select exists (select from due) as is_due`,
)
// whatever differs: also what an earlier run left behind, or a rating that was just being given
const rankChunk = crossTenantSql<{ last: string | null }, [after: string, most: number]>(
  why,
  `with chunk as (
     select l.entry_id from market_listing l where l.entry_id > $1 order by l.entry_id limit $2),
   moved as (
     update market_listing l set rating_rank = ${ratingRank('l.rating_sum', 'l.rating_count', 'm.average')}
     from chunk c cross join market_rating_average m
     where l.entry_id = c.entry_id
       and l.rating_rank <> ${ratingRank('l.rating_sum', 'l.rating_count', 'm.average')})
   select max(c.entry_id) as last from chunk c`,
)
const setComputed = crossTenantSql<never>(why, 'update market_rating_average m set computed_at = now()')

/**
 * Reckons the mean of all ratings anew, once an hour, and with it the ranks that differ, in chunks. A run that ends
 * before the last chunk is taken up by the next.
 */
export async function updateRatingRanks(
  database: Database,
  isClosing = () => false,
  limit = 1_000,
): Promise<void> {
  if (!(await database.wide.first(computeAverage))!.is_due) return
  for (let last: string | null = ''; last !== null; ) {
    if (isClosing()) return
    last = (await database.wide.first(rankChunk, last, limit))!.last
  }
  await database.wide.rows(setComputed)
}
