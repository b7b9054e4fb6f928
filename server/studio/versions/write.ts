import type { Tx } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { copyFileRows } from '../files/file.sql.ts'
import type { StoredContent } from './version.rules.ts'
import { insertVersion } from './version.sql.ts'

/** A version that an asset shall have. */
export type VersionDraft = {
  version: string
  content: StoredContent
  changelog: string | undefined
  /** The number of the version that it restores. */
  restoredFrom?: string
  /** The id of the version whose attachments it has as well. */
  filesFrom?: string
}

/** Writes a version of a locked asset, with the attachments of another one by reference. Returns its id. */
export async function addVersion(
  tx: Tx,
  caller: Caller,
  assetId: string,
  { version, content, changelog, restoredFrom, filesFrom }: VersionDraft,
): Promise<string> {
  const id = newId()
  const { hash: contentHash, ...contentFields } = content
  const told = { changelog: changelog ?? null, restoredFrom: restoredFrom ?? null }
  const made = { id, assetId, version, ...told, createdBy: caller.personId }
  await Promise.all([
    insertVersion(tx, { ...contentFields, ...made, contentHash }),
    filesFrom !== undefined && copyFileRows(tx, filesFrom, { assetId, versionId: id }),
  ])
  return id
}
