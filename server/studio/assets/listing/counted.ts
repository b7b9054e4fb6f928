import { joined, personalShare, unitShare } from '../asset.access.ts'
import { onlyShared } from './shelves.ts'

/** Looking for this many assets one by one is less work than gathering all that is shared with the caller. */
const few = 1_000
/** Rows `t` of the tally of shares that are about the caller and what is wanted. */
const talliedFor = `t.organization_id = $1 and t.grantee_id = any($4::text[] || $6::text[] || $2::text)
  and t.visibility = any($11::text[]) and t.cell = any($7::integer[])
  and (t.grantee_id <> $2 or t.since = ${joined})`

/**
 * The shelves that hold anything of what is wanted, and how much: from the tallies, and counted one by one in their
 * index where no tally has them: shares with an end, and what is shared with a unit and with others, or by departments
 * too. Of the last `by_unit_alone` counts each asset once, unless it is shared with the caller in person, and
 * `share_shelf` none. `my_shelf` says of each closed visibility, status and type about how many are
 * the caller's by departments and by shares. $2 to $11 as in lists
 */
export const countedShelves = `
  open_shelf as materialized (
    select t.visibility, c.status, c.type, sum(t.counts[c.at]) as n from asset_tally t cross join cell c
    where t.organization_id = $1 and t.author_id = '' and t.department_set = '' and t.visibility = any($10::text[])
    group by 1, 2, 3 having sum(t.counts[c.at]) > 0),
  set_shelf as materialized (
    select my_set.id as department_set, c.at, c.status, c.type, y.counts[c.at] as n
    from my_set cross join lateral (
      select t.counts from asset_tally t
      where t.organization_id = $1 and t.author_id = '' and t.visibility = 'DEPARTMENT'
        and t.department_set = my_set.id offset 0) y cross join cell c
    where 'DEPARTMENT' = any($11::text[]) and y.counts[c.at] > 0),
  author_shelf as materialized (
    select y.author_id, sum(y.counts[c.at]) as n
    from (
      select z.* from colleague cross join lateral (
        select t.author_id, t.counts from asset_tally t
        where t.organization_id = $1 and t.author_id = colleague.person_id and t.visibility = 'WORKSPACE'
          and t.department_set = '' offset 0) z
      where 'WORKSPACE' = any($11::text[])
      union all
      select t.author_id, t.counts from asset_tally t
      where t.organization_id = $1 and t.author_id = $2 and t.visibility in ('PRIVATE', 'DEPARTMENT')
        and t.visibility = any($11::text[]) and t.department_set not in (select id from my_set)
    ) y cross join cell c
    group by 1 having sum(y.counts[c.at]) > 0),
  by_unit as materialized (
    select s.asset_id, s.visibility, s.cell from asset_share s
    where ${onlyShared(unitShare)} and s.tallied_cell = 0),
  by_unit_alone as materialized (
    select distinct u.asset_id from by_unit u
    where (select count(*) <= ${few} from by_unit) and (select true from asset_share s
      where s.organization_id = $1 and s.asset_id = u.asset_id and ${personalShare} limit 1) is null
    union all
    select distinct u.asset_id from by_unit u
    where (select count(*) > ${few} from by_unit) and u.asset_id not in (
      select s.asset_id from asset_share s
      where ${onlyShared(personalShare)} and (select count(*) > ${few} from by_unit))),
  share_shelf as materialized (
    select t.visibility, t.cell, sum(t.n) as shares, sum(t.n) as n from (
      select t.visibility, t.cell, t.n from share_tally t where ${talliedFor} and t.key = ''
      union all
      select t.visibility, t.cell, -t.n from share_tally t
      where ${talliedFor} and t.key = $2 and t.visibility = 'PRIVATE'
      union all
      select t.visibility, t.cell, -t.n from share_tally t
      where ${talliedFor} and t.key = any(array(select person_id from colleague)) and t.visibility = 'WORKSPACE'
      union all
      select t.visibility, t.cell, -t.n from share_tally t
      where ${talliedFor} and t.key = any(array(select id from my_set)) and t.visibility = 'DEPARTMENT') t
    group by 1, 2
    union all
    select s.visibility, s.cell, count(*), count(*)
    from asset_share s where ${onlyShared(personalShare)} and s.tallied_cell = 0 group by 1, 2
    union all
    select u.visibility, u.cell, count(*), 0 from by_unit u group by 1, 2),
  my_shelf as materialized (
    select y.visibility, c.at, c.status, c.type, sum(y.n) as n, sum(y.sets) as sets, sum(y.shares) as shares
    from (
      select 'DEPARTMENT' as visibility, o.at, o.n, 1 as sets, 0 as shares from set_shelf o
      union all select o.visibility, o.cell, o.shares, 0, o.shares from share_shelf o
    ) y join cell c on c.at = y.at
    group by 1, 2, 3, 4)`
