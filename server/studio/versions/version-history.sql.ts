import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { accessLevel, type Reader } from '../assets/asset.access.ts'
import { versionIdFor } from './version.access.ts'

/** A version in the history. */
export type VersionItemRow = {
  id: string
  asset_id: string
  version: string
  changelog: string | null
  description: string
  content_hash: string
  files_count: number
  total_bytes: number
  is_current: boolean
  created_by: string
  created_by_name: string
  created_at: string
  published_at: string | null
  published_by: string | null
  published_by_name: string
  restored_from: string | null
}
type Content = { body_markdown: string; frontmatter: Record<string, unknown> }
export type VersionDetailRow = VersionItemRow & Content & { frontmatter_text: string | null }

/** One of two compared versions, with its files ordered by path. */
export type ComparedRow = Content & { version: string; description: string; files: ComparedFile[] }
export type ComparedFile = { path: string; size: number; sha256: string }

/** `access` is 0 if the caller may not read the asset. All other columns are null if the version does not exist. */
type WithAccess<Row extends { version: string }> = { access: number } & (Row | { version: null })
export type VersionPageRow = { total: number } & WithAccess<VersionItemRow>

const nameOf = (personId: string) =>
  `coalesce((select m.name from membership m where m.organization_id = $organization
    and m.person_id = ${personId}), '')`
/** The columns of `VersionItemRow`, of a version `v` of the asset `a` with its files `f`. */
const itemColumns = `v.id, v.asset_id, v.version, v.changelog, v.description, v.content_hash,
  v.id = a.current_version_id as is_current, v.created_by, ${nameOf('v.created_by')} as created_by_name,
  v.created_at, v.published_at, v.published_by, ${nameOf('v.published_by')} as published_by_name,
  v.restored_from, f.files_count, f.total_bytes`
const files = `cross join lateral (
  select count(*) as files_count, coalesce(sum(f.size), 0)::bigint as total_bytes from asset_file f
  where f.organization_id = $organization and f.version_id = v.id) f`

// Versions are never deleted, so the highest ordinal is the total, and a page is a range of ordinals. The planner assumes
// that every history is short; OFFSET and LIMIT keep it from reading all of it
const selectPage = sql<VersionPageRow, Reader & { assetId: string; limit: number; offset: number }>(`
  select ${accessLevel} as access, t.total, ${itemColumns}
  from asset a
  cross join lateral (
    select coalesce(max(n.ordinal), 0) as total from asset_version n
    where n.organization_id = $organization and n.asset_id = a.id offset 0) t
  left join lateral (
    select n.* from asset_version n
    where n.organization_id = $organization and n.asset_id = a.id
      and n.ordinal > t.total - $offset::integer - $limit::integer and n.ordinal <= t.total - $offset::integer
    order by n.ordinal desc limit $limit::integer) v on true
  ${files}
  where a.organization_id = $organization and a.id = $assetId and a.listed
  order by v.ordinal desc`)

/** A page of the history, newest first. An empty page has one row with `access` and `total` alone. */
export function versionsPage(
  db: Db,
  reader: Reader,
  assetId: string,
  limit: number,
  offset: number,
): Promise<VersionPageRow[]> {
  return db.rows(selectPage, { ...reader, assetId, limit, offset })
}

const selectDetail = sql<WithAccess<VersionDetailRow>, Reader & { assetId: string; ref: string }>(`
  select ${accessLevel} as access, ${itemColumns}, v.body_markdown, v.frontmatter, v.frontmatter_text
  from asset a left join asset_version v on v.organization_id = $organization and v.id = ${versionIdFor('$ref')}
  ${files}
  where a.organization_id = $organization and a.id = $assetId and a.listed`)

/** The version that `ref` refers to, with its content. */
export function versionDetail(
  db: Db,
  reader: Reader,
  assetId: string,
  ref: string,
): Promise<WithAccess<VersionDetailRow> | undefined> {
  return db.first(selectDetail, { ...reader, assetId, ref })
}

const selectCompared = sql<
  WithAccess<ComparedRow>,
  Reader & { assetId: string; one: string; other: string }
>(`
  select ${accessLevel} as access, v.version, v.description, v.body_markdown, v.frontmatter,
    (select coalesce(json_agg(json_build_object('path', f.path, 'size', f.size, 'sha256', f.sha256)
      order by f.path), '[]') from asset_file f
      where f.organization_id = $organization and f.version_id = v.id) as files
  from asset a
  cross join unnest(array[$one::text, $other::text]) with ordinality r (ref, place)
  left join asset_version v on v.organization_id = $organization and v.id = ${versionIdFor('r.ref')}
  where a.organization_id = $organization and a.id = $assetId and a.listed
  order by r.place`)

/** Two versions to compare, in the requested order. */
export function comparedVersions(
  db: Db,
  reader: Reader,
  assetId: string,
  from: string,
  to: string,
): Promise<WithAccess<ComparedRow>[]> {
  return db.rows(selectCompared, { ...reader, assetId, one: from, other: to })
}
