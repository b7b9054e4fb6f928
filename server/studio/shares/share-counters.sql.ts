import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { Standing } from '../assets/asset.rules.ts'
import { cells } from '../assets/asset-counters.sql.ts'

/**
 * Where the tally counts a share `s`, so that a list need not: in the cell of its asset when it has no end and the
 * asset is not everybody's. An asset that is shared with a unit is counted there only when it is shared with nobody
 * else, as its readers may have it by another share too, and not when departments read it, as its author may be in
 * none of them. The key says by whom or what else somebody may have the asset: such readers take those off again.
 */
const due = `
  select case when d.is_due then s.cell else 0 end as cell, case when d.is_due then s.visibility else '' end as visibility,
    case when not d.is_due then ''
      when s.visibility = 'DEPARTMENT' then s.department_set
      when s.visibility = 'WORKSPACE' or s.unit_id is not null then s.author_id else '' end as key
  from (select s.cell > 0 and s.expires_at is null and case
      when s.person_id is not null then s.visibility in ('PRIVATE', 'WORKSPACE', 'DEPARTMENT')
      when s.visibility not in ('PRIVATE', 'WORKSPACE') then false
      else not exists (
        select from asset_share o where o.organization_id = $1 and o.asset_id = s.asset_id and o.id <> s.id)
      end as is_due) d`

// in one order, as others may be at the same rows
const settle = sql<never, [assetId: string]>(`
  with moved as (
    select s.id, s.grantee_id, s.since, s.tallied_cell, s.tallied_visibility, s.tallied_key, d.cell, d.visibility, d.key
    from asset_share s cross join lateral (${due}) d
    where s.organization_id = $1 and s.asset_id = $2
      and (s.tallied_cell, s.tallied_visibility, s.tallied_key) <> (d.cell, d.visibility, d.key)),
  marked as (
    update asset_share s set tallied_cell = m.cell, tallied_visibility = m.visibility, tallied_key = m.key
    from moved m where s.organization_id = $1 and s.id = m.id)
  insert into share_tally (organization_id, key, grantee_id, visibility, cell, since, n)
  select $1, k.key, m.grantee_id, c.visibility, c.cell, m.since, sum(c.n)
  from moved m
    cross join lateral (values
      (m.tallied_visibility, m.tallied_cell, m.tallied_key, -1), (m.visibility, m.cell, m.key, 1)) c (visibility, cell, key, n)
    cross join lateral (select '' as key union select c.key) k
  where c.cell > 0
  group by 2, 3, 4, 5, 6
  order by 2, 3, 4, 5, 6
  on conflict (organization_id, key, grantee_id, visibility, cell, since) do update set n = share_tally.n + excluded.n`)

/** Brings the tally up to date with the shares of an asset, which the transaction has locked. */
export async function settleShares(tx: Tx, assetId: string): Promise<void> {
  await tx.run(settle, assetId)
}

const setStanding = sql<
  never,
  [
    assetId: string,
    cell: number,
    visibility: string | null,
    departmentSet: string | null,
    authorId: string | null,
  ]
>(`
  update asset_share s set cell = $3, visibility = coalesce($4, s.visibility),
    department_set = coalesce($5, s.department_set), author_id = coalesce($6, s.author_id)
  where s.organization_id = $1 and s.asset_id = $2`)

/** Tells the shares of an asset where it stands now; undefined when it is deleted. */
export async function moveInShares(tx: Tx, assetId: string, after: Standing | undefined): Promise<void> {
  const { visibility = null, department_set = null, author_id = null } = after ?? {}
  await Promise.all([
    tx.run(setStanding, assetId, after ? cellOf(after) : 0, visibility, department_set, author_id),
    settleShares(tx, assetId),
  ])
}

/** The number of a status and type in the tallies. */
export function cellOf({ status, type }: Pick<Standing, 'status' | 'type'>): number {
  return cells.find(cell => cell.status === status && cell.type === type)!.at
}
