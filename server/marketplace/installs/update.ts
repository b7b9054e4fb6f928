import { type InstallUpdate, updateInstall } from '#contract/marketplace/installs.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, command } from '#platform/http/operation.ts'
import {
  addVersion,
  assertImportedFrontmatterBounds,
  assertNotArchived,
  changedContent,
  changedFields,
  changesSearchText,
  lockAsset,
  saveAsset,
  withActive,
  withUpdatedFields,
} from '#server/studio/index.ts'
import { insertOrigin } from '../provenance/provenance.sql.ts'
import { type SignedStatement, signStatement } from '../provenance/statement.ts'
import { lockOwnInstall, setInstalledRelease } from './install.sql.ts'
import { addFiles } from './install.ts'
import {
  type ActiveVersion,
  activeOf,
  assertWithinVersionLimits,
  isAsReleased,
  isSameFiles,
  type LockedInstall,
  mergeRelease,
  presentationAfter,
  versionContent,
} from './installed-copy.ts'
import type { AssetCopy } from './merge/merge-copies.ts'
import { baseRelease, newestRelease } from './release.sql.ts'

/**
 * Updates a copy to the listed release: writes a new version, merged with local changes. If both changed the same place,
 * refuses INSTALL_CONFLICT and writes nothing, unless `take` chooses a side (INS-13 to INS-17). A copy changes only when its
 * owner updates it (INS-8).
 */
export const update = command(
  updateInstall,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    const locked = await lockUpdatable(tx, caller, id)
    const { install, asset, theirs } = locked
    const active = await activeOf(tx, locked)
    const { value: merged, conflicts } = await mergeRelease(locked, active, body.take)
    if (conflicts.length > 0 && !body.take && !body.dryRun) fail('INSTALL_CONFLICT', { conflicts })
    assertWithinVersionLimits(merged.files)
    assertImportedFrontmatterBounds(merged.frontmatter.fields)
    audit(asset.id)
    const isSettled = conflicts.length === 0 || body.take !== undefined
    const preview: InstallUpdate = {
      installId: install.id,
      installedAssetId: asset.id,
      fromVersion: install.installed_version,
      toVersion: theirs.version,
      version: null,
      isMerged: isSettled && !isAsReleased(locked, merged),
      conflicts,
    }
    if (body.dryRun) return new AlternateReply(preview)
    const statement = signStatement(services.signer, theirs, theirs.files)
    const written = await writeUpdate(tx, caller, locked, active, merged, statement)
    audit(asset.id, written.changed)
    return { ...preview, version: written.version }
  },
)

/** Locks an install of the caller and its copy. Refuses unless there is a new release and the caller may edit the copy. */
async function lockUpdatable(tx: Tx, caller: Caller, id: string): Promise<LockedInstall> {
  // statements after the lock see the changes of the previous holder
  const [install, base, theirs] = await tx.inOrder(
    () => lockOwnInstall(tx, id, caller.personId),
    () => baseRelease(tx, id, caller.personId),
    () => newestRelease(tx, id, caller.personId),
  )
  if (!install || !base) fail('INSTALL_NOT_FOUND')
  const asset = await lockAsset(tx, caller, install.installed_asset_id, 'edit')
  if (!theirs) fail('ENTRY_NOT_APPROVED')
  assertNotArchived(asset)
  if (theirs.id === install.release_id) fail('INSTALL_UP_TO_DATE')
  return { install, asset, base, theirs }
}

/** Writes the merged copy and emits its events. Changed content or attachments need a new version. */
async function writeUpdate(
  tx: Tx,
  caller: Caller,
  locked: LockedInstall,
  active: ActiveVersion,
  merged: AssetCopy,
  signedStatement: SignedStatement,
): Promise<{ version: string | null; changed: string[] }> {
  const { install, asset, theirs } = locked
  const described = await withUpdatedFields(tx, asset, { name: merged.name, ...presentationAfter(locked) })
  const content = versionContent(merged)
  const changed: string[] = [...changedFields(asset, described), ...changedContent(active.content, content)]
  if (!isSameFiles(active.files, merged.files)) changed.push('files')

  const version = changed.some(field => versioned.includes(field)) ? active.next : null
  let after = described
  if (version !== null) {
    const changelog = theirs.changelog ?? undefined
    const versionId = await addVersion(tx, caller, asset.id, { version, content, changelog })
    await Promise.all([
      addFiles(tx, caller, { assetId: asset.id, versionId }, merged.files),
      insertOrigin(tx, versionId, signedStatement),
    ])
    after = withActive(described, { id: versionId, version, description: content.description })
    changed.push('version')
    emit(tx, caller, 'ai-asset.version-created', { assetId: asset.id, slug: after.slug, version })
  }
  const filesCopied = theirs.files.filter(({ isThere }) => isThere).length
  const to = { releaseId: theirs.id, version: theirs.version }
  await Promise.all([
    setInstalledRelease(
      tx,
      install.id,
      { ...to, filesCopied, filesFailed: theirs.files.length - filesCopied },
      signedStatement,
    ),
    changed.length > 0 &&
      saveAsset(tx, asset, after, changesSearchText(changed) ? content.bodyMarkdown : undefined),
  ])
  if (changed.length > 0)
    emit(tx, caller, 'ai-asset.updated', { assetId: asset.id, slug: after.slug, changes: changed })
  return { version, changed }
}

/** The fields that belong to a version. */
const versioned = ['description', 'bodyMarkdown', 'frontmatter', 'files']
