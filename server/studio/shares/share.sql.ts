import type { AccessLevel } from '#contract/studio/assets.ts'
import type { GranteeType } from '#contract/studio/shares.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import {
  type AssetRow,
  activeShare,
  activeShareWithCaller,
  type Reader,
  readable,
} from '../assets/asset.access.ts'
import { raiseShareGeneration, statusTypePosition, updateShareCounters } from '../assets/catalogue/index.ts'
import type { Grantee } from './share.rules.ts'

export type ShareRow = {
  id: string
  asset_id: string
  grantee_kind: GranteeType
  grantee_id: string
  grantee_name: string
  level: AccessLevel
  expires_at: string | null
  shared_by: string
  sharer_name: string
  created_at: string
}

const columns = `s.id, s.asset_id, s.grantee_kind, s.grantee_id, coalesce(p.name, u.name) as grantee_name, s.level,
  s.expires_at, s.shared_by, m.name as sharer_name, s.created_at`
const names = `join membership m on m.organization_id = $organization and m.person_id = s.shared_by
  left join membership p on p.organization_id = $organization and p.person_id = s.person_id
  left join unit u on u.organization_id = $organization and u.id = s.unit_id`

/** A page without shares still has one row, with the total alone. */
type PageRow = { total: number } & (ShareRow | { id: null })
const ofAsset = `from asset_share s where s.organization_id = $organization and s.asset_id = $assetId
  and ${activeShare}`

// index asset_share_newest
const selectPage = sql<PageRow, { assetId: string; limit: number; offset: number }>(`
  select t.total, i.*
  from (select count(*) as total ${ofAsset}) t
  left join (
    select ${columns} from (
      select * ${ofAsset} order by s.created_at desc, s.id desc limit $limit offset $offset) s ${names}) i on true
  order by i.created_at desc, i.id desc`)

/** The shares of an asset that are in force, newest first. */
export function listSharesOf(db: Db, assetId: string, limit: number, offset: number): Promise<PageRow[]> {
  return db.rows(selectPage, { assetId, limit, offset })
}

// in one order, because the removal of members locks several of them too
const lockPeople = sql<{ id: string }, { ids: readonly string[] }>(`
  select m.person_id as id from membership m
  where m.organization_id = $organization and m.person_id = any($ids::text[]) and m.removed_at is null
  order by m.person_id for share`)
const lockUnits = sql<{ id: string; kind: GranteeType }, { ids: readonly string[] }>(`
  select u.id, u.kind from unit u where u.organization_id = $organization and u.id = any($ids::text[])
  order by u.id for key share`)

/** True when all grantees exist; they stay until the transaction ends. */
export async function lockGrantees(tx: Tx, grantees: readonly Grantee[]): Promise<boolean> {
  const idsOf = (isPerson: boolean) =>
    grantees.filter(({ type }) => (type === 'USER') === isPerson).map(({ id }) => id)
  const [people, units] = await tx.inOrder(
    () => tx.rows(lockPeople, { ids: idsOf(true) }),
    () => tx.rows(lockUnits, { ids: idsOf(false) }),
  )
  const there = new Set([
    ...people.map(({ id }) => `USER ${id}`),
    ...units.map(({ id, kind }) => `${kind} ${id}`),
  ])
  return grantees.every(({ type, id }) => there.has(`${type} ${id}`))
}

const rank = (level: string) => `case ${level} when 'ADMIN' then 3 when 'EDIT' then 2 else 1 end`

/** Facts that decide whether the caller may share an asset. */
export type ShareCheck = {
  isPast: boolean
  isTooFar: boolean
  /** The caller has that level at least, and at least as long. */
  isOwn: boolean
  /** The highest level that one of the grantees has by a share. */
  highest: number
  /** How many of the grantees have a share. */
  there: number
}
const selectShareCheck = sql<
  ShareCheck,
  Reader & {
    assetId: string
    rank: number
    expiresAt: string | null
    longestDays: number
    grantees: readonly string[]
  }
>(`
  select coalesce(e.at <= now(), false) as "isPast",
    coalesce(e.at > now() + $longestDays::integer * interval '1 day', false) as "isTooFar",
    $isAdministrator::boolean or a.author_id = $personId or exists (
      select from asset_share s where s.organization_id = $organization and s.asset_id = a.id
        and ${activeShareWithCaller}
        and ${rank('s.level')} >= $rank::integer and (s.expires_at is null or s.expires_at >= e.at)) as "isOwn",
    h.highest, h.there
  from asset a cross join (select $expiresAt::timestamptz(3) as at) e cross join (
    select coalesce(max(${rank('s.level')}), 0) as highest, count(*)::integer as there from asset_share s
    where s.organization_id = $organization and s.asset_id = $assetId
      and s.grantee_id = any($grantees::text[]) and ${activeShare}) h
  where a.organization_id = $organization and a.id = $assetId and ${readable}`)

/**
 * Reads the caller's own access to an asset and the present shares of the grantees. Undefined when the caller
 * may not read the asset.
 */
export function shareCheck(
  tx: Tx,
  reader: Reader,
  assetId: string,
  given: { rank: number; expiresAt: string | null; longestDays: number },
  grantees: readonly Grantee[],
): Promise<ShareCheck | undefined> {
  const ids = grantees.map(({ id }) => id)
  return tx.first(selectShareCheck, {
    ...reader,
    assetId,
    rank: given.rank,
    expiresAt: given.expiresAt,
    longestDays: given.longestDays,
    grantees: ids,
  })
}

const deleteEnded = sql<never, { assetId: string; grantees: readonly string[] }>(`
  delete from asset_share s where s.organization_id = $organization and s.asset_id = $assetId
    and s.grantee_id = any($grantees::text[])
    and not (${activeShare})`)
const put = sql<
  never,
  {
    assetId: string
    ids: readonly string[]
    kinds: readonly GranteeType[]
    grantees: readonly string[]
    level: AccessLevel
    expiresAt: string | null
    sharedBy: string
    statusType: number
  }
>(`
  insert into asset_share (organization_id, id, asset_id, grantee_kind, grantee_id, since, level, expires_at, shared_by,
    author_id, visibility, department_set, status_type)
  select a.organization_id, g.id, a.id, g.kind, g.grantee_id, coalesce(m.created_at, '-infinity'), $level,
    $expiresAt::timestamptz(3), $sharedBy, a.author_id, a.visibility, a.department_set, $statusType
  from unnest($ids::text[], $kinds::text[], $grantees::text[]) g (id, kind, grantee_id)
    join asset a on a.organization_id = $organization and a.id = $assetId
    left join membership m on m.organization_id = $organization and m.person_id = g.grantee_id and g.kind = 'USER'
  on conflict (organization_id, asset_id, grantee_id) do update
    set level = excluded.level, expires_at = excluded.expires_at, shared_by = excluded.shared_by, expiry_announced = false
    where (asset_share.level, asset_share.expires_at) is distinct from (excluded.level, excluded.expires_at)
  returning id`)
const countActive = sql<{ n: number }, { assetId: string }>(`select count(*) as n ${ofAsset}`)
const selectOfGrantees = sql<ShareRow, { assetId: string; grantees: readonly string[] }>(`
  select ${columns} from asset_share s ${names}
  where s.organization_id = $organization and s.asset_id = $assetId and s.grantee_id = any($grantees::text[])
  order by array_position($grantees::text[], s.grantee_id)`)

/**
 * Gives each of the grantees, which are locked, a share of an asset, which is locked: a new one, or another
 * level and expiry of their present one. Returns their shares in the order of the grantees, how many are new
 * or changed, and how many shares the asset has then.
 */
export async function putShares(
  tx: Tx,
  asset: AssetRow,
  grantees: readonly Grantee[],
  given: { level: AccessLevel; expiresAt: string | null; sharedBy: string },
): Promise<{ shares: ShareRow[]; changed: number; count: number }> {
  const ids = grantees.map(({ id }) => id)
  const kinds = grantees.map(({ type }) => type)
  const newIds = grantees.map(() => newId())
  const { level, expiresAt, sharedBy } = given
  const [, changed, , counted, shares] = await Promise.all([
    tx.run(deleteEnded, { assetId: asset.id, grantees: ids }),
    tx.run(put, {
      assetId: asset.id,
      ids: newIds,
      kinds,
      grantees: ids,
      level,
      expiresAt,
      sharedBy,
      statusType: statusTypePosition(asset),
    }),
    updateShareCounters(tx, asset.id),
    tx.one(countActive, { assetId: asset.id }),
    tx.rows(selectOfGrantees, { assetId: asset.id, grantees: ids }),
    raiseShareGeneration(tx, asset.id),
  ])
  return { shares, changed, count: counted.n }
}

type ActiveShare = { rank: number; grantee_kind: GranteeType; grantee_id: string }
const selectShare = sql<ActiveShare, { assetId: string; id: string }>(
  `select ${rank('s.level')} as rank, s.grantee_kind, s.grantee_id ${ofAsset} and s.id = $id`,
)

/** A share in force, with its level as a number; undefined when the asset has none of that id. */
export function activeShareOf(tx: Tx, assetId: string, id: string): Promise<ActiveShare | undefined> {
  return tx.first(selectShare, { assetId, id })
}

const selectWith = sql<{ id: string }, { assetId: string; granteeId: string }>(`
  select s.id from asset_share s where s.organization_id = $organization and s.asset_id = $assetId
    and s.grantee_id = $granteeId`)

/** Deletes the share of a grantee of an asset, which is locked; without one, nothing happens. */
export async function deleteShareWith(tx: Tx, assetId: string, granteeId: string): Promise<void> {
  const share = await tx.first(selectWith, { assetId, granteeId })
  if (share) await deleteShare(tx, assetId, share.id)
}

const leaveCounters = sql<never, { id: string }>(
  'update asset_share s set status_type = 0 where s.organization_id = $organization and s.id = $id',
)
const deleteRow = sql<never, { id: string }>(
  'delete from asset_share s where s.organization_id = $organization and s.id = $id',
)

/** Deletes a share of an asset, which is locked. */
export async function deleteShare(tx: Tx, assetId: string, id: string): Promise<void> {
  await Promise.all([
    tx.run(leaveCounters, { id }),
    updateShareCounters(tx, assetId),
    tx.run(deleteRow, { id }),
    // the last remaining grantee may be counted now
    updateShareCounters(tx, assetId),
    raiseShareGeneration(tx, assetId),
  ])
}
