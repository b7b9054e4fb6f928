import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#platform/required.ts'

/** An attachment with its version number and the name of its creator. */
export type FileRow = {
  id: string
  asset_id: string
  version_id: string
  version: string
  path: string
  content_type: string
  size: number
  sha256: string
  created_by: string
  created_by_name: string
  created_at: string
}

const columns = `f.id, f.asset_id, f.version_id, v.version, f.path, f.content_type, f.size, f.sha256, f.created_by,
  m.name as created_by_name, f.created_at`
const joins = `join asset_version v on v.organization_id = $organization and v.id = f.version_id
  join membership m on m.organization_id = $organization and m.person_id = f.created_by`

const selectFiles = sql<FileRow, { versionId: string }>(`
  select ${columns} from asset_file f ${joins}
  where f.organization_id = $organization and f.version_id = $versionId order by f.path`)

/** The attachments of a version, ordered by path. */
export function filesOf(db: Db, versionId: string): Promise<FileRow[]> {
  return db.rows(selectFiles, { versionId })
}

const selectPage = sql<FileRow & { total: number }, { versionId: string; limit: number; offset: number }>(`
  select t.total, f.* from
    (select count(*)::int as total from asset_file n
      where n.organization_id = $organization and n.version_id = $versionId) t
    left join (
      select ${columns} from asset_file f ${joins}
      where f.organization_id = $organization and f.version_id = $versionId
      order by f.path limit $limit offset $offset) f on true
  order by f.path`)

/** A page of the attachments of a version, with the total. */
export async function filesPage(
  db: Db,
  versionId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: FileRow[]; total: number }> {
  const rows = await db.rows(selectPage, { versionId, limit, offset })
  return { rows: rows.filter(row => row.id !== null), total: firstOf(rows).total }
}

const selectFile = sql<FileRow & { now_seconds: number }, { versionId: string; id: string }>(`
  select ${columns}, floor(extract(epoch from clock_timestamp()))::int8 as now_seconds from asset_file f ${joins}
  where f.organization_id = $organization and f.version_id = $versionId and f.id = $id`)

/** An attachment of a version, with the database's time in seconds since 1970. */
export function fileOf(db: Db, versionId: string, id: string) {
  return db.first(selectFile, { versionId, id })
}

type DownloadRow = Pick<FileRow, 'path' | 'content_type' | 'size' | 'sha256'>
const selectDownload = sql<{ is_over: boolean } & Partial<DownloadRow>, { id: string; expires: number }>(`
  select t.now > to_timestamp($expires::int8) as is_over, f.path, f.content_type, f.size, f.sha256
  from (select clock_timestamp() as now) t left join (
    select n.path, n.content_type, n.size, n.sha256 from asset_file n
    join asset a on a.organization_id = $organization and a.id = n.asset_id and a.listed
    where n.organization_id = $organization and n.id = $id) f on true`)

/** The file of a download address, and whether the address has expired. `expires` is in seconds since 1970. */
export async function fileForAddress(
  db: Db,
  id: string,
  expires: number,
): Promise<{ isExpired: boolean; file: DownloadRow | undefined }> {
  const row = await db.one(selectDownload, { id, expires })
  return { isExpired: row.is_over, file: row.sha256 === null ? undefined : (row as DownloadRow) }
}

const deleteRows = sql<never, { versionId: string; ids: readonly string[] }>(
  `delete from asset_file f where f.organization_id = $organization and f.version_id = $versionId
    and f.id = any($ids::text[])`,
)

/** Deletes attachments of a version. The sweep deletes their objects once nothing refers to them. */
export async function deleteFiles(tx: Tx, versionId: string, ids: readonly string[]): Promise<number> {
  return ids.length === 0 ? 0 : tx.run(deleteRows, { versionId, ids })
}

/** An attachment to insert. Its bytes are the object with the same SHA-256 in the file store. */
export type NewFile = {
  id: string
  assetId: string
  versionId: string
  path: string
  contentType: string
  size: number
  sha256: string
  createdBy: string
}

const insertFileRows = sql<
  never,
  {
    assetId: string
    versionId: string
    createdBy: string
    ids: readonly string[]
    paths: readonly string[]
    contentTypes: readonly string[]
    sizes: readonly number[]
    sha256s: readonly string[]
  }
>(`
  insert into asset_file (organization_id, asset_id, version_id, created_by, id, path, content_type, size, sha256)
  select $organization, $assetId, $versionId, $createdBy, f.*
  from unnest($ids::text[], $paths::text[], $contentTypes::text[], $sizes::bigint[], $sha256s::text[]) f`)

/** Inserts attachments of one version, whose objects are stored already. A duplicate path violates `asset_file_path`. */
export async function insertFiles(tx: Tx, files: readonly NewFile[]): Promise<void> {
  const [first] = files
  if (!first) return
  const all = <Key extends keyof NewFile>(key: Key) => files.map(file => file[key])
  await tx.run(insertFileRows, {
    assetId: first.assetId,
    versionId: first.versionId,
    createdBy: first.createdBy,
    ids: all('id'),
    paths: all('path'),
    contentTypes: all('contentType'),
    sizes: all('size'),
    sha256s: all('sha256'),
  })
}

const selectPaths = sql<{ path: string }, { versionId: string }>(
  `select f.path from asset_file f where f.organization_id = $organization and f.version_id = $versionId
    order by f.path`,
)
const insertCopies = sql<
  never,
  { from: string; assetId: string; to: string; ids: readonly string[]; paths: readonly string[] }
>(`
  insert into asset_file (organization_id, asset_id, version_id, id, path, content_type, size, sha256, created_by,
    created_at)
  select $organization, $assetId, $to, n.id, f.path, f.content_type, f.size, f.sha256, f.created_by, f.created_at
  from unnest($ids::text[], $paths::text[]) n (id, path)
  join asset_file f on f.organization_id = $organization and f.version_id = $from and f.path = n.path`)

/**
 * Copies the attachments of a version to another one, of the same or another asset, by reference: no bytes are copied.
 * Returns how many.
 */
export async function copyFileRows(
  tx: Tx,
  fromVersionId: string,
  to: { assetId: string; versionId: string },
): Promise<number> {
  const paths = (await tx.rows(selectPaths, { versionId: fromVersionId })).map(row => row.path)
  if (paths.length === 0) return 0
  const ids = paths.map(() => newId())
  return tx.run(insertCopies, { from: fromVersionId, assetId: to.assetId, to: to.versionId, ids, paths })
}
