import { callerJoinedAt, personalShare, unitShare } from '../../asset.access.ts'
import { isOnlyShared } from './list-fragments.ts'

/** Up to this many assets are looked up one by one; above, reading all shares of the caller is less work. */
const fewAssets = 1_000
/** Rows `t` of share_bucket_count that concern the caller and match the filters. */
const countedFor = `t.organization_id = $organization and t.grantee_id = any($departmentIds::text[] || $groupIds::text[] || $personId::text)
  and t.visibility = any($closed::text[]) and t.status_type = any($positions::integer[])
  and (t.grantee_id <> $personId or t.since = ${callerJoinedAt})`

/**
 * The buckets that hold assets which match the filters, with their numbers. Most numbers are read from the counters.
 * Shares that expire, and assets that are shared with a unit and also with others or with departments, are in no
 * counter and are counted row by row in an index. Of the latter, `by_unit_alone` counts each asset once unless it is
 * also shared with the caller in person, and `share_bucket` counts none. `closed_bucket` estimates, for each closed
 * visibility, status and type, how many assets the caller reads through departments and through shares.
 * The parameters are those of lists.
 */
export const bucketCounts = `
  open_bucket as materialized (
    select t.visibility, c.status, c.type, sum(t.counts[c.position]) as n from asset_bucket_count t cross join status_type c
    where t.organization_id = $organization and t.author_id = '' and t.department_set = '' and t.visibility = any($open::text[])
    group by 1, 2, 3 having sum(t.counts[c.position]) > 0),
  department_bucket as materialized (
    select my_department_set.id as department_set, c.position, c.status, c.type, y.counts[c.position] as n
    from my_department_set cross join lateral (
      select t.counts from asset_bucket_count t
      where t.organization_id = $organization and t.author_id = '' and t.visibility = 'DEPARTMENT'
        and t.department_set = my_department_set.id offset 0) y cross join status_type c
    where 'DEPARTMENT' = any($closed::text[]) and y.counts[c.position] > 0),
  author_bucket as materialized (
    select y.author_id, sum(y.counts[c.position]) as n
    from (
      select z.* from colleague cross join lateral (
        select t.author_id, t.counts from asset_bucket_count t
        where t.organization_id = $organization and t.author_id = colleague.person_id and t.visibility = 'WORKSPACE'
          and t.department_set = '' offset 0) z
      where 'WORKSPACE' = any($closed::text[])
      union all
      select t.author_id, t.counts from asset_bucket_count t
      where t.organization_id = $organization and t.author_id = $personId and t.visibility in ('PRIVATE', 'DEPARTMENT')
        and t.visibility = any($closed::text[]) and t.department_set not in (select id from my_department_set)
    ) y cross join status_type c
    group by 1 having sum(y.counts[c.position]) > 0),
  by_unit as materialized (
    select s.asset_id, s.visibility, s.status_type from asset_share s
    where ${isOnlyShared(unitShare)} and s.counted_status_type = 0),
  by_unit_alone as materialized (
    select distinct u.asset_id from by_unit u
    where (select count(*) <= ${fewAssets} from by_unit) and (select true from asset_share s
      where s.organization_id = $organization and s.asset_id = u.asset_id and ${personalShare} limit 1) is null
    union all
    select distinct u.asset_id from by_unit u
    where (select count(*) > ${fewAssets} from by_unit) and u.asset_id not in (
      select s.asset_id from asset_share s
      where ${isOnlyShared(personalShare)} and (select count(*) > ${fewAssets} from by_unit))),
  share_bucket as materialized (
    select t.visibility, t.status_type, sum(t.n) as shares, sum(t.n) as n from (
      select t.visibility, t.status_type, t.n from share_bucket_count t where ${countedFor} and t.key = ''
      union all
      select t.visibility, t.status_type, -t.n from share_bucket_count t
      where ${countedFor} and t.key = $personId and t.visibility = 'PRIVATE'
      union all
      select t.visibility, t.status_type, -t.n from share_bucket_count t
      where ${countedFor} and t.key = any(array(select person_id from colleague)) and t.visibility = 'WORKSPACE'
      union all
      select t.visibility, t.status_type, -t.n from share_bucket_count t
      where ${countedFor} and t.key = any(array(select id from my_department_set)) and t.visibility = 'DEPARTMENT') t
    group by 1, 2
    union all
    select s.visibility, s.status_type, count(*), count(*)
    from asset_share s where ${isOnlyShared(personalShare)} and s.counted_status_type = 0 group by 1, 2
    union all
    select u.visibility, u.status_type, count(*), 0 from by_unit u group by 1, 2),
  closed_bucket as materialized (
    select y.visibility, c.position, c.status, c.type, sum(y.n) as n, sum(y.sets) as sets, sum(y.shares) as shares
    from (
      select 'DEPARTMENT' as visibility, o.position, o.n, 1 as sets, 0 as shares from department_bucket o
      union all select o.visibility, o.status_type, o.shares, 0, o.shares from share_bucket o
    ) y join status_type c on c.position = y.position
    group by 1, 2, 3, 4)`

/** The number of assets in these buckets: all that match the filters and that the caller may read. */
export const bucketTotal = `coalesce((select sum(n) from open_bucket), 0) + coalesce((select sum(n) from department_bucket), 0)
  + coalesce((select sum(n) from author_bucket), 0) + coalesce((select sum(n) from share_bucket), 0)
  + (select count(*) from by_unit_alone)`
