import { activateVersion, type Version } from '#contract/studio/versions.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import { saveAsset } from '../assets/write.ts'
import { versionReply } from './read.ts'
import { lockVersion } from './version.access.ts'
import { changedContent, changesContentText, withActive } from './version.rules.ts'
import { contentOf } from './version.sql.ts'

/** Makes an existing version the active one under its own number. */
export const activate = command(
  activateVersion,
  async ({ tx, caller, params: { id, version: ref }, audit }): Promise<Version> => {
    const { asset, version } = await lockVersion(tx, caller, id, ref, 'edit')
    assertNotArchived(asset)
    audit(id)
    if (version.id === asset.current_version_id) return versionReply(tx, caller, id, version.version)

    const [before, content] = await Promise.all([
      contentOf(tx, asset.current_version_id),
      contentOf(tx, version.id),
    ])
    if (!before || !content) fail('VERSION_NOT_FOUND')
    const changed = [...changedContent(before, content), 'version']
    const after = withActive(asset, {
      id: version.id,
      version: version.version,
      description: content.description,
      publishedAt: version.published_at,
    })
    await saveAsset(tx, asset, after, changesContentText(changed) ? content.bodyMarkdown : undefined)
    emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: asset.slug, changes: changed })
    audit(id, changed)
    return versionReply(tx, caller, id, version.version)
  },
)
