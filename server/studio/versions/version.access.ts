import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type AssetRow, assetFor, lockAsset, type RequiredAccess } from '../assets/asset.access.ts'

/** A version without its content, which `contentOf` returns. */
export type VersionRow = {
  id: string
  version: string
  changelog: string | null
  content_hash: string
  published_at: string | null
  created_at: string
}

/**
 * SQL for the id of a version of the asset `a`. `ref` is a parameter or column with an exact number, `current` (the active
 * version) or `latest` (the highest number).
 */
export const versionIdFor = (ref: string) => `case ${ref}
  when 'current' then a.current_version_id
  when 'latest' then (select l.id from asset_version l where l.organization_id = $organization and l.asset_id = a.id
    order by l.precedence desc limit 1)
  else (select n.id from asset_version n where n.organization_id = $organization and n.asset_id = a.id
    and n.version = ${ref}) end`

const selectVersion = sql<VersionRow, { assetId: string; ref: string }>(`
  select v.id, v.version, v.changelog, v.content_hash, v.published_at, v.created_at
  from asset a join asset_version v on v.organization_id = $organization and v.id = ${versionIdFor('$ref')}
  where a.organization_id = $organization and a.id = $assetId and a.listed`)

/** The version that `ref` refers to, or undefined. The caller's access to the asset must be checked already. */
export function versionOf(db: Db, assetId: string, ref: string): Promise<VersionRow | undefined> {
  return db.first(selectVersion, { assetId, ref })
}

/** An asset that the caller may access, and one of its versions. */
export type AssetVersion = { asset: AssetRow; version: VersionRow }

/**
 * Returns the asset and the version that `ref` refers to: an exact number, `current` or `latest`. Fails like `assetFor`,
 * and with VERSION_NOT_FOUND.
 */
export async function versionFor(
  db: Db,
  caller: Caller,
  assetId: string,
  ref: string,
  need: RequiredAccess,
): Promise<AssetVersion> {
  return requireVersion(await Promise.all([assetFor(db, caller, assetId, need), versionOf(db, assetId, ref)]))
}

/** Like `versionFor`, and locks the asset with all its versions until the transaction ends. */
export async function lockVersion(
  tx: Tx,
  caller: Caller,
  assetId: string,
  ref: string,
  need: RequiredAccess,
): Promise<AssetVersion> {
  // The second statement runs after the lock is granted, so it sees the current versions
  return requireVersion(
    await tx.inOrder(
      () => lockAsset(tx, caller, assetId, need),
      () => versionOf(tx, assetId, ref),
    ),
  )
}

function requireVersion([asset, version]: [AssetRow, VersionRow | undefined]): AssetVersion {
  return { asset, version: version ?? fail('VERSION_NOT_FOUND') }
}
