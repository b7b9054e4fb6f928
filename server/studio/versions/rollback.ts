import { rollbackVersion, type Version } from '#contract/studio/versions.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import { emitPublished } from '../assets/publish-listeners.ts'
import { saveAsset } from '../assets/write.ts'
import { versionReply } from './read.ts'
import { lockVersion } from './version.access.ts'
import { changedContent, changesContentText, withActive, withPublished } from './version.rules.ts'
import { contentOf, nextVersion, publishVersion } from './version.sql.ts'
import { addVersion } from './write.ts'

/**
 * Creates a version with the content and attachments of an earlier one, which stays as it is (VER-12). `restoredFrom` names
 * the earlier version.
 */
export const rollback = command(
  rollbackVersion,
  async ({ tx, caller, params: { id, version: ref }, body, audit }): Promise<Version> => {
    if (body.publish && !caller.permissions.has('STUDIO_PUBLISH')) fail('PERMISSION_DENIED')
    const { asset, version: earlier } = await lockVersion(tx, caller, id, ref, 'edit')
    assertNotArchived(asset)
    const [active, content, version] = await Promise.all([
      contentOf(tx, asset.current_version_id),
      contentOf(tx, earlier.id),
      nextVersion(tx, id, asset.current_version),
    ])
    if (!active || !content) fail('VERSION_NOT_FOUND')
    const versionId = await addVersion(tx, caller, id, {
      version,
      content,
      changelog: body.changelog,
      restoredFrom: earlier.version,
      filesFrom: earlier.id,
    })
    const publishedAt = body.publish ? await publishVersion(tx, versionId, caller.personId) : undefined

    const changed = [...changedContent(active, content), 'version']
    const unpublished = withActive(asset, { id: versionId, version, description: content.description })
    const after = publishedAt === undefined ? unpublished : withPublished(unpublished, publishedAt)
    await saveAsset(tx, asset, after, changesContentText(changed) ? content.bodyMarkdown : undefined)
    const { slug } = asset
    emit(tx, caller, 'ai-asset.updated', { assetId: id, slug, changes: changed })
    emit(tx, caller, 'ai-asset.version-created', { assetId: id, slug, version })
    if (publishedAt !== undefined) await emitPublished(tx, caller, { assetId: id, slug, version })
    audit(id, publishedAt === undefined ? changed : [...changed, 'status'])
    return versionReply(tx, caller, id, version)
  },
)
