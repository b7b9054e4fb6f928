import { installEntry } from '#contract/marketplace/entries.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Signer } from '#platform/security/signer.ts'
import { type AssetDraft, addAsset, insertFiles } from '#server/studio/index.ts'
import { entryExists } from '../entries/entry.access.ts'
import { insertOrigin } from '../provenance/provenance.sql.ts'
import { signStatement } from '../provenance/statement.ts'
import { countInstaller, insertInstall } from './install.sql.ts'
import type { CopiedFile } from './merge/merge-files.ts'
import { type ListedRelease, listedRelease } from './release.sql.ts'

/**
 * Creates a PRIVATE DRAFT of the caller with the content of the listed release and references to its attachments (INS-2). A
 * file whose bytes are lost is left out and counted as failed (INS-3).
 */
export const install = command(
  installEntry,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    const release = (await listedRelease(tx, id)) ?? (await refuseUnlisted(tx, id))
    if (release.publisher_person_id === caller.personId) fail('ENTRY_OWN')

    const customName = body.customName?.trim() ?? null
    const { copy, install, count } = await copyRelease(tx, caller, release, customName, services.signer)
    if (count === undefined) fail('ENTRY_NOT_APPROVED')

    emit(tx, caller, 'ai-asset.created', { assetId: copy.id, slug: copy.slug })
    emit(
      tx,
      caller,
      'ai-marketplace.installed',
      { entryId: id, version: release.version, installCount: count },
      [
        { organizationId: release.publisher_id, personId: release.publisher_person_id },
        { organizationId: caller.organizationId, personId: caller.personId },
      ],
    )
    audit(copy.id)
    return {
      installId: install.id,
      installedAssetId: copy.id,
      installedVersion: install.version,
      filesCopied: install.filesCopied,
      filesFailed: install.filesFailed,
    }
  },
)

/**
 * Refuses ENTRY_NOT_APPROVED for an entry that exists, for every caller: ids cannot be guessed, so this reveals nothing.
 * Refuses ENTRY_NOT_FOUND for an unknown id.
 */
async function refuseUnlisted(db: Db, entryId: string): Promise<never> {
  fail((await entryExists(db, entryId)) ? 'ENTRY_NOT_APPROVED' : 'ENTRY_NOT_FOUND')
}

/** Writes the copy and its install. `count` is the number of installers; undefined if the entry is no longer listed. */
async function copyRelease(
  tx: Tx,
  caller: Caller,
  release: ListedRelease,
  customName: string | null,
  signer: Signer,
) {
  const signedStatement = signStatement(signer, release, release.files)
  const files = release.files.filter(({ isThere }) => isThere)
  const install = {
    id: newId(),
    personId: caller.personId,
    entryId: release.entry_id,
    releaseId: release.id,
    entryName: release.name,
    version: release.version,
    filesCopied: files.length,
    filesFailed: release.files.length - files.length,
    customName,
  }
  let count: number | undefined
  const draft = draftOf(release, customName ?? release.name)
  const copy = await addAsset(tx, caller, draft, async asset => {
    const of = { assetId: asset.id, versionId: asset.current_version_id }
    const [, , , counted] = await Promise.all([
      addFiles(tx, caller, of, files),
      insertOrigin(tx, of.versionId, signedStatement),
      insertInstall(tx, { ...install, assetId: asset.id }, signedStatement),
      // last: other installs of the entry wait for its row
      countInstaller(tx, release.entry_id, caller.personId),
    ])
    count = counted?.install_count
  })
  return { copy, install, count }
}

/** The copy of a release, before it is written. */
function draftOf(release: ListedRelease, name: string): AssetDraft {
  return {
    type: release.type,
    name,
    description: release.description,
    bodyMarkdown: release.body_markdown,
    frontmatter: release.frontmatter,
    frontmatterText: release.frontmatter_text,
    iconName: release.icon_name,
    color: release.color,
    visibility: 'PRIVATE',
    departmentSet: '',
    tags: release.asset_tags,
    version: release.version,
    changelog: release.changelog,
    collectionIds: [],
  }
}

/** Adds attachments to a version of a copy, by reference. */
export function addFiles(
  tx: Tx,
  caller: Caller,
  of: { assetId: string; versionId: string },
  files: readonly CopiedFile[],
): Promise<void> {
  return insertFiles(
    tx,
    files.map(({ path, contentType, size, sha256 }) => ({
      ...of,
      id: newId(),
      createdBy: caller.personId,
      path,
      contentType,
      size,
      sha256,
    })),
  )
}
