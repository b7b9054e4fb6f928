import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { copyFileRows } from '../files/file.sql.ts'
import type { StoredContent } from './version.rules.ts'
import { insertVersion } from './version.sql.ts'

/** The input for a new version. */
export type VersionDraft = {
  version: string
  content: StoredContent
  changelog: string | undefined
  /** The number of the version that a rollback restores. */
  restoredFrom?: string
  /** The id of the version whose attachments it shares. */
  filesFrom?: string
}

/** Adds a version to a locked asset, with the attachments of another version by reference. Returns its id. */
export async function addVersion(
  tx: Tx,
  caller: Caller,
  assetId: string,
  { version, content, changelog, restoredFrom, filesFrom }: VersionDraft,
): Promise<string> {
  const id = newId()
  const { hash: contentHash, ...contentFields } = content
  await Promise.all([
    insertVersion(tx, {
      ...contentFields,
      id,
      assetId,
      version,
      changelog: changelog ?? null,
      restoredFrom: restoredFrom ?? null,
      createdBy: caller.personId,
      contentHash,
    }),
    filesFrom !== undefined && copyFileRows(tx, filesFrom, { assetId, versionId: id }),
  ])
  return id
}
