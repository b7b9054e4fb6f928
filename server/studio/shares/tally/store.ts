import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'
import type { Standing } from '../../assets/rules.ts'
import { cells } from '../../assets/tally/store.ts'

/**
 * Which shares `s` the tally counts, so that a list need not: of private assets, which nobody has by another way,
 * without an end. An asset that is shared with a unit is counted there only when it is shared with nobody else:
 * its readers may have it by another share as well.
 */
const due = `case when s.visibility = 'PRIVATE' and s.expires_at is null and (s.person_id is not null or not exists (
    select from asset_share o where o.organization_id = $1 and o.asset_id = s.asset_id and o.id <> s.id))
  then s.cell else 0 end`

// of units also by author. In one order, as others may be at the same rows
const settle = sql<never, [assetId: string]>(`
  with moved as (
    select s.id, s.grantee_id, s.since, s.unit_id, s.author_id, s.tallied, ${due} as due
    from asset_share s where s.organization_id = $1 and s.asset_id = $2),
  marked as (
    update asset_share s set tallied = moved.due from moved
    where s.organization_id = $1 and s.id = moved.id and moved.tallied <> moved.due)
  insert into share_tally (organization_id, author_id, grantee_id, since, cell, n)
  select $1, y.author_id, m.grantee_id, m.since, c.cell, sum(c.n)
  from moved m
    cross join lateral (values (m.tallied, -1), (m.due, 1)) c (cell, n)
    cross join lateral (select '' as author_id union all select m.author_id where m.unit_id is not null) y
  where m.tallied <> m.due and c.cell > 0
  group by 2, 3, 4, 5
  order by 2, 3, 4, 5
  on conflict (organization_id, author_id, grantee_id, since, cell) do update set n = share_tally.n + excluded.n`)

/** Brings the tally up to date with the shares of an asset, which the transaction has locked. */
export async function settleShares(tx: Tx, assetId: string): Promise<void> {
  await tx.run(settle, assetId)
}

const setStanding = sql<
  never,
  [assetId: string, cell: number, visibility: string | null, departmentSet: string | null]
>(`
  update asset_share s set cell = $3, visibility = coalesce($4, s.visibility),
    department_set = coalesce($5, s.department_set)
  where s.organization_id = $1 and s.asset_id = $2`)

/** Tells the shares of an asset where it stands now; undefined when it is deleted. */
export async function moveInShares(tx: Tx, assetId: string, after: Standing | undefined): Promise<void> {
  const { visibility = null, department_set = null } = after ?? {}
  await Promise.all([
    tx.run(setStanding, assetId, after ? cellOf(after) : 0, visibility, department_set),
    settleShares(tx, assetId),
  ])
}

/** The number of a status and type in the tallies. */
export function cellOf({ status, type }: Pick<Standing, 'status' | 'type'>): number {
  return cells.find(cell => cell.status === status && cell.type === type)!.at
}
