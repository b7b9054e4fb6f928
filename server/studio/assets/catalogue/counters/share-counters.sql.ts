import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { AssetBucketFields } from '../../asset.rules.ts'
import { statusTypePosition } from './asset-counters.sql.ts'

/**
 * Where share_bucket_count counts a share `s`, so that a list need not: under the status and type of its
 * asset, when the share never expires and not everybody reads the asset. An asset that is shared with a unit
 * is counted only when it is shared with nobody else, because its readers may also have another share, and
 * not when departments read it, because its author may be in none of them. The key names the author or
 * department set that may give a reader access already: the total of such a reader subtracts these.
 */
const countedAs = `
  select case when d.is_counted then s.status_type else 0 end as status_type,
    case when d.is_counted then s.visibility else '' end as visibility, case when not d.is_counted then ''
      when s.visibility = 'DEPARTMENT' then s.department_set
      when s.visibility = 'WORKSPACE' or s.unit_id is not null then s.author_id else '' end as key
  from (select s.status_type > 0 and s.expires_at is null and case
      when s.person_id is not null then s.visibility in ('PRIVATE', 'WORKSPACE', 'DEPARTMENT')
      when s.visibility not in ('PRIVATE', 'WORKSPACE') then false
      else not exists (
        select from asset_share o where o.organization_id = $organization and o.asset_id = s.asset_id
          and o.id <> s.id)
      end as is_counted) d`

// always in the same order, because other transactions may lock the same rows
const updateCounters = sql<never, { assetId: string }>(`
  with moved as (
    select s.id, s.grantee_id, s.since, s.counted_status_type, s.counted_visibility, s.counted_key,
      d.status_type, d.visibility, d.key
    from asset_share s cross join lateral (${countedAs}) d
    where s.organization_id = $organization and s.asset_id = $assetId
      and (s.counted_status_type, s.counted_visibility, s.counted_key) <> (d.status_type, d.visibility, d.key)),
  marked as (
    update asset_share s set counted_status_type = m.status_type, counted_visibility = m.visibility, counted_key = m.key
    from moved m where s.organization_id = $organization and s.id = m.id)
  insert into share_bucket_count (organization_id, key, grantee_id, visibility, status_type, since, n)
  select $organization, k.key, m.grantee_id, c.visibility, c.status_type, m.since, sum(c.n)
  from moved m
    cross join lateral (values
      (m.counted_visibility, m.counted_status_type, m.counted_key, -1),
        (m.visibility, m.status_type, m.key, 1)) c (visibility, status_type, key, n)
    cross join lateral (select '' as key union select c.key) k
  where c.status_type > 0
  group by 2, 3, 4, 5, 6
  order by 2, 3, 4, 5, 6
  on conflict (organization_id, key, grantee_id, visibility, status_type, since) do update
  set n = share_bucket_count.n + excluded.n
  returning n`)

/** Updates the counters for the shares of an asset, which the transaction has locked. */
export async function updateShareCounters(tx: Tx, assetId: string): Promise<void> {
  await tx.run(updateCounters, { assetId })
}

const setBucket = sql<
  never,
  {
    assetId: string
    statusType: number
    visibility: string | null
    departmentSet: string | null
    authorId: string | null
  }
>(`
  update asset_share s set status_type = $statusType, visibility = coalesce($visibility, s.visibility),
    department_set = coalesce($departmentSet, s.department_set), author_id = coalesce($authorId, s.author_id)
  where s.organization_id = $organization and s.asset_id = $assetId`)

/** Copies the new bucket of an asset to its shares and their counters; undefined when it is deleted. */
export async function moveSharesInCounters(
  tx: Tx,
  assetId: string,
  after: AssetBucketFields | undefined,
): Promise<void> {
  const { visibility = null, department_set = null, author_id = null } = after ?? {}
  await Promise.all([
    tx.run(setBucket, {
      assetId,
      statusType: after ? statusTypePosition(after) : 0,
      visibility,
      departmentSet: department_set,
      authorId: author_id,
    }),
    updateShareCounters(tx, assetId),
  ])
}
