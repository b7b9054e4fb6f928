import { limits } from '#contract/limits.ts'
import type { AccessLevel, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'

/**
 * The one place that decides who may access an asset (ACL-1, ACL-2). The access level is the highest of: ADMIN for the
 * author and for administrators of the organization, the level of an unexpired share, READ by visibility. Statements that
 * use the fragments below take the parameters of `readerOf(caller)`.
 */
export type Reader = {
  personId: string
  isAdministrator: boolean
  departmentIds: readonly string[]
  workspaceIds: readonly string[]
  groupIds: readonly string[]
}

export function readerOf(caller: Caller): Reader {
  const { personId, isAdministrator, departmentIds, workspaceIds, groupIds } = caller
  return { personId, isAdministrator, departmentIds, workspaceIds, groupIds }
}

const isUnexpired = '(s.expires_at is null or s.expires_at > now())'
/** When the caller joined. Shares from an earlier membership no longer count. */
export const callerJoinedAt = `(
  select j.created_at from membership j where j.organization_id = $organization and j.person_id = $personId)`
/** An active share `s` with the caller in person. */
export const personalShare = `s.grantee_id = $personId and s.since = ${callerJoinedAt} and ${isUnexpired}`
/** An active share `s` with a department or group of the caller. */
export const unitShare = `s.grantee_id = any($departmentIds::text[] || $groupIds::text[]) and ${isUnexpired}`
/** An active share `s` with the caller, in person or through a unit. Ids of people and units never collide. */
export const activeShareWithCaller = `s.grantee_id = any($departmentIds::text[] || $groupIds::text[] || $personId::text)
  and (s.grantee_id <> $personId or s.since = ${callerJoinedAt}) and ${isUnexpired}`
/** An active share `s` with anyone. Deleting a unit deletes its shares. */
export const activeShare = `${isUnexpired} and (s.person_id is null or exists (
  select from membership j where j.organization_id = $organization and j.person_id = s.person_id
    and j.removed_at is null and j.created_at = s.since))`

/**
 * True if the asset with the id in the column is shared with the caller, else null. This is not an `exists`, for which the
 * planner might first collect everything that is shared with the caller.
 */
export function isSharedWithCaller(column: string): string {
  return `(select true from asset_share s
    where s.organization_id = $organization and s.asset_id = ${column} and ${activeShareWithCaller} limit 1)`
}

const inDepartment = `exists (select from department_set d where d.organization_id = $organization
  and d.id = a.department_set and d.department_id = any($departmentIds::text[]))`
const inWorkspace = `exists (select from unit_member w where w.organization_id = $organization
  and w.person_id = a.author_id and w.kind = 'WORKSPACE' and w.unit_id = any($workspaceIds::text[]))`
const byVisibility = `case a.visibility
  when 'ORGANIZATION' then true when 'MARKETPLACE' then true
  when 'DEPARTMENT' then ${inDepartment} when 'WORKSPACE' then ${inWorkspace} else false end`

/** True if the caller may read the asset `a`. */
export const readable = `case
  when $isAdministrator::boolean or a.author_id = $personId then true
  when ${byVisibility} then true
  else coalesce(${isSharedWithCaller('a.id')}, false) end`

/** The department sets that the caller's departments belong to, and the people who share a workspace with the caller. */
export const callerUnits = `my_department_set as materialized (
    select distinct d.id from department_set d
    where d.organization_id = $organization and d.department_id = any($departmentIds::text[])),
  colleague as materialized (
    select w.person_id from unit_member w
    where w.organization_id = $organization and w.unit_id = any($workspaceIds::text[]) and w.kind = 'WORKSPACE'
    union select $personId)`

/**
 * True when the caller may read the asset without a share. The same answer as `readable`, for
 * statements that have `callerUnits`.
 */
export function isReadableWithoutShare(alias: string): string {
  return `case when $isAdministrator::boolean or ${alias}.author_id = $personId then true
    when ${alias}.visibility in ('ORGANIZATION', 'MARKETPLACE') then true
    when ${alias}.visibility = 'DEPARTMENT' then ${alias}.department_set in (select id from my_department_set)
    when ${alias}.visibility = 'WORKSPACE' then ${alias}.author_id in (select person_id from colleague)
    else false end`
}

/**
 * The access of the caller to the asset `a`: 0 none, 1 READ, 2 EDIT, 3 ADMIN.
 *
 * @param isVisible true if the visibility of the asset lets the caller read it
 * @param shares the table of the shares, or rows of it that include all shares with the caller
 */
export function accessLevelBy(isVisible: string, shares: string): string {
  return `case when $isAdministrator::boolean or a.author_id = $personId then 3 else greatest(
  case when ${isVisible} then 1 else 0 end,
  (select max(case s.level when 'ADMIN' then 3 when 'EDIT' then 2 else 1 end)
   from ${shares} s where s.organization_id = $organization and s.asset_id = a.id and ${activeShareWithCaller})) end`
}
export const accessLevel = accessLevelBy(byVisibility, 'asset_share')

const levels = ['READ', 'EDIT', 'ADMIN'] as const

/** The access level of an `access` number. Fails with ASSET_NOT_FOUND for 0. */
export function accessOf(level: number): AccessLevel {
  return levels[level - 1] ?? fail('ASSET_NOT_FOUND')
}

/** An asset without its content and counters. */
export type AssetRow = {
  id: string
  type: AssetType
  slug: string
  name: string
  description: string
  icon_name: string | null
  color: string | null
  visibility: Visibility
  department_set: string
  tags: string[]
  status: AssetStatus
  author_id: string
  current_version_id: string
  current_version: string
  current_published_at: string | null
  published_version: string | null
  verified_version_id: string | null
  verified_version: string | null
  verified_by: string | null
  verified_at: string | null
  created_at: string
  updated_at: string
  access: number
}

const assetRow = `select a.id, a.type, a.slug, a.name, a.description, a.icon_name, a.color, a.visibility,
    a.department_set, a.tags, a.status, a.author_id, a.current_version_id, a.current_version,
    a.current_published_at, a.published_version, a.verified_version_id, a.verified_version, a.verified_by,
    a.verified_at, a.created_at, a.updated_at, ${accessLevel} as access
  from asset a where a.organization_id = $organization and a.id = $id`
const assetById = `${assetRow} and a.listed`
const selectAsset = sql<AssetRow, Reader & { id: string }>(assetById)
const selectAssetLocked = sql<AssetRow, Reader & { id: string }>(`${assetById} for no key update of a`)

/** A deleted asset `a` that can still be restored. */
export const restorable = `a.deleted_at > now() - interval '${limits.deletedAssetDays} days'`
const selectRestorableLocked = sql<AssetRow & { listed: boolean }, Reader & { id: string }>(
  `${assetRow.replace('select ', 'select a.listed, ')} and (a.listed or ${restorable}) for no key update of a`,
)

export type RequiredAccess = 'read' | 'edit' | 'admin'
const requiredLevel = { read: 1, edit: 2, admin: 3 } as const

/**
 * Returns the asset if the caller has the required access. Fails with ASSET_NOT_FOUND if it does not exist, belongs to
 * another organization or is not readable, and with ASSET_ACCESS_DENIED if the access level is too low.
 */
export async function assetFor(db: Db, caller: Caller, id: string, need: RequiredAccess): Promise<AssetRow> {
  return requireAccess(await db.first(selectAsset, { ...readerOf(caller), id }), need)
}

/** Like `assetFor`, and locks the asset until the transaction ends. */
export async function lockAsset(tx: Tx, caller: Caller, id: string, need: RequiredAccess): Promise<AssetRow> {
  return requireAccess(await tx.first(selectAssetLocked, { ...readerOf(caller), id }), need)
}

/** Like `lockAsset`, also for deleted assets that can still be restored. `listed` is false for these. */
export async function lockRestorableAsset(
  tx: Tx,
  caller: Caller,
  id: string,
  need: RequiredAccess,
): Promise<AssetRow & { listed: boolean }> {
  return requireAccess(await tx.first(selectRestorableLocked, { ...readerOf(caller), id }), need)
}

function requireAccess<Row extends AssetRow>(asset: Row | undefined, need: RequiredAccess): Row {
  if (!asset || asset.access < requiredLevel.read) fail('ASSET_NOT_FOUND')
  if (asset.access < requiredLevel[need]) fail('ASSET_ACCESS_DENIED')
  return asset
}

/** Fails with ASSET_ACCESS_DENIED unless the caller has ADMIN access to the asset. */
export function assertMayAdminister(asset: AssetRow): void {
  if (asset.access < requiredLevel.admin) fail('ASSET_ACCESS_DENIED')
}

/** The people who may read an asset besides administrators. Enough to decide for any member without the database. */
export type AssetReaders = {
  visibility: Visibility
  authorId: string
  departmentIds: readonly string[]
  authorWorkspaceIds: readonly string[]
  /** The grantees of active shares, as `KIND:id`. */
  grantees: readonly string[]
}

type ReadersRow = {
  id: string
  visibility: Visibility
  author_id: string
  departments: string[]
  workspaces: string[]
  grantees: string[]
}
const selectReaders = sql<ReadersRow, { ids: readonly string[] }>(`
  select a.id, a.visibility, a.author_id,
    array(select d.department_id from department_set d
      where d.organization_id = $organization and d.id = a.department_set) as departments,
    array(select w.unit_id from unit_member w
      where w.organization_id = $organization and w.person_id = a.author_id and w.kind = 'WORKSPACE') as workspaces,
    array(select s.grantee_kind || ':' || s.grantee_id from asset_share s
      where s.organization_id = $organization and s.asset_id = a.id and ${activeShare}) as grantees
  from asset a where a.organization_id = $organization and a.id = any($ids::text[])`)

/**
 * Returns who may read each of the assets. A deleted asset keeps its last readers, who receive the event of its deletion.
 * Assets that do not exist are omitted.
 */
export async function readersOf(db: Db, assetIds: readonly string[]): Promise<Map<string, AssetReaders>> {
  const rows = await db.rows(selectReaders, { ids: assetIds })
  return new Map(
    rows.map(row => [
      row.id,
      {
        visibility: row.visibility,
        authorId: row.author_id,
        departmentIds: row.departments,
        authorWorkspaceIds: row.workspaces,
        grantees: row.grantees,
      },
    ]),
  )
}

/** The same decision as `readable` in SQL. */
export function mayRead(caller: Caller, readers: AssetReaders): boolean {
  if (caller.isAdministrator || caller.personId === readers.authorId) return true
  const { visibility } = readers
  if (visibility === 'ORGANIZATION' || visibility === 'MARKETPLACE') return true
  const overlap = (own: readonly string[], required: readonly string[]) =>
    own.some(id => required.includes(id))
  if (visibility === 'DEPARTMENT' && overlap(caller.departmentIds, readers.departmentIds)) return true
  if (visibility === 'WORKSPACE' && overlap(caller.workspaceIds, readers.authorWorkspaceIds)) return true
  if (readers.grantees.length === 0) return false
  const granteeKeys = [
    `USER:${caller.personId}`,
    ...caller.departmentIds.map(id => `DEPARTMENT:${id}`),
    ...caller.groupIds.map(id => `GROUP:${id}`),
  ]
  return overlap(granteeKeys, readers.grantees)
}
