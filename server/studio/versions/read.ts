import { readVersion, type Version } from '#contract/studio/versions.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { accessOf, readerOf } from '../assets/asset.access.ts'
import { showVersion } from './version.json.ts'
import { versionDetail } from './version-history.sql.ts'

/** Returns one version (VER-6). */
export const read = query(readVersion, ({ db, caller, params }) =>
  versionReply(db, caller, params.id, params.version),
)

/** A version as the caller sees it, including the changes of the current transaction. */
export async function versionReply(db: Db, caller: Caller, assetId: string, ref: string): Promise<Version> {
  const row = (await versionDetail(db, readerOf(caller), assetId, ref)) ?? fail('ASSET_NOT_FOUND')
  accessOf(row.access)
  if (row.version === null) fail('VERSION_NOT_FOUND')
  return showVersion(row)
}
