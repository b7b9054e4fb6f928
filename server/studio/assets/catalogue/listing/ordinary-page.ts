import {
  accessLevelBy,
  activeShareWithCaller,
  callerUnits,
  isReadableWithoutShare,
  isSharedWithCaller,
} from '../../asset.access.ts'
import { statusTypes } from '../counters/asset-counters.sql.ts'
import { bucketCounts, bucketTotal } from './bucket-counts.ts'
import { pageEnd } from './catalogue-scan.ts'
import { isOnlyShared, matchesFilters, type Order, sortBy, statusTypeTable } from './list-fragments.ts'

/** Up to this many shares of the caller are read at once; with more, their counters are less work. */
const fewShares = 100
/** The catalogue is walked this far for a page. */
const longestWalk = `(select 50 + 10 * ($limit::integer + $offset::integer))`
const hasFewShares = `(select count(*) <= ${fewShares} from share)`

/** The counts of the counter row `t`, unpacked here once instead of for each number that is taken from them. */
const unpackedCounts = `t.counts || '{}'::integer[] as counts`
/** The number of assets with a wanted status and type in the counter row `t`. A shorter row counts as 0 at its end. */
const wantedCount = statusTypes
  .map((_, at) => `coalesce(t.counts[($positions::integer[])[${at + 1}]], 0)`)
  .join(' + ')

/**
 * The catalogue is walked in its order, until the page is full of assets that the caller may read: `found`, and `page` (asset_id,
 * page_position, and the counters if the order has them).
 *
 * @param isShared true if a share lets the caller read the asset `k`
 * @param longest the most rows of the walk
 */
function walk(order: Order, isShared: string, longest: string): string {
  // walked: index asset_popular_all, asset_recent_all, asset_named
  const { from, id } = order
  const counters = (alias: string) =>
    order.hasCounters ? `, ${alias}.usage_count, ${alias}.thumbs_up, ${alias}.thumbs_down` : ''
  return `
  walked as (
    select k.${id} as asset_id${counters('k')}, row_number() over (order by ${sortBy(order, 'k', id)}) as step,
      ${matchesFilters} and (${isReadableWithoutShare('k')} or ${isShared}) as is_found
    from ${from} where k.organization_id = $organization and k.listed
    order by ${sortBy(order, 'k', id)} limit ${longest}),
  found as materialized (
    select x.asset_id${counters('x')}, x.step, x.is_found from walked x where x.is_found or x.step = ${longestWalk} limit ${pageEnd}),
  page as (
    select x.asset_id${counters('x')}, x.step as page_position from found x where x.is_found order by x.step offset $offset::integer)`
}
/** True when the walk ended before the page was full. */
const hasEnded = `exists (select from found where step = ${longestWalk})`

/**
 * SQL for a page near the head of the catalogue, for a reader with few shares who may read a good part of it, as most may: `page`, and
 * `total` (n, has_many_shares). The total adds up the counters of the buckets and the assets that only a share lets the caller read. `n`
 * is null when the caller has many shares, or when the walk ended before the page was full: another statement reads such a page.
 */
export function ordinaryPage(order: Order): string {
  return `
  ${callerUnits},
  share as materialized (
    select s.organization_id, s.asset_id, s.grantee_id, s.since, s.expires_at, s.visibility, s.status_type, s.author_id,
      s.department_set, s.level
    from asset_share s
    where s.organization_id = $organization and not $isAdministrator::boolean
      and s.grantee_id = any($departmentIds::text[] || $groupIds::text[] || $personId::text)
    limit ${fewShares} + 1),
  only_shared as materialized (
    select distinct s.asset_id from share s where ${isOnlyShared(activeShareWithCaller)}),
  ${walk(order, `k.${order.id} in (select asset_id from only_shared)`, `case when ${hasFewShares} then ${longestWalk} else 0 end`)},
  total as (
    select not ${hasFewShares} as has_many_shares, case when ${hasFewShares} and not ${hasEnded}
      then (select count(*) from only_shared) + coalesce(sum(${wantedCount}), 0) end as n from (
      select ${unpackedCounts} from asset_bucket_count t
      where t.organization_id = $organization and t.author_id = '' and t.department_set = ''
        and t.visibility = any($open::text[])
      union all
      select ${unpackedCounts} from my_department_set d join asset_bucket_count t on t.organization_id = $organization
        and t.author_id = '' and t.visibility = 'DEPARTMENT' and t.department_set = d.id
      where 'DEPARTMENT' = any($closed::text[])
      union all
      select ${unpackedCounts} from colleague o join asset_bucket_count t on t.organization_id = $organization
        and t.author_id = o.person_id and t.visibility = 'WORKSPACE' and t.department_set = ''
      where 'WORKSPACE' = any($closed::text[])
      union all
      select ${unpackedCounts} from asset_bucket_count t
      where t.organization_id = $organization and t.author_id = $personId and t.visibility in ('PRIVATE', 'DEPARTMENT')
        and t.visibility = any($closed::text[]) and t.department_set not in (select id from my_department_set)) t)`
}

/** The access of the caller to the asset `a` of such a page. */
export const ordinaryAccess = accessLevelBy(isReadableWithoutShare('a'), 'share')

/**
 * The same for a reader with many shares, who looks up whether one lets them read an asset. The total is that of the buckets. `n` is
 * null when the walk ended before the page was full.
 */
export function pageWithManyShares(order: Order): string {
  return `
  ${statusTypeTable},
  ${callerUnits},
  ${bucketCounts},
  ${walk(order, isSharedWithCaller(`k.${order.id}`), longestWalk)},
  total as (select case when not ${hasEnded} then ${bucketTotal} end as n)`
}

/** The access of the caller to the asset `a` of such a page. */
export const accessWithManyShares = accessLevelBy(isReadableWithoutShare('a'), 'asset_share')
