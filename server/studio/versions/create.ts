import type { Input } from '#contract/operation.ts'
import { createVersion, type Version } from '#contract/studio/versions.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { type AssetRow, lockAsset } from '../assets/asset.access.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import { saveAsset } from '../assets/write.ts'
import { changeFor, changeIn } from '../packages/frontmatter/written-frontmatter.ts'
import { versionReply } from './read.ts'
import { versionOf } from './version.access.ts'
import { changedContent, changesContentText, mergeContent, withActive } from './version.rules.ts'
import { contentOf, nextVersion } from './version.sql.ts'
import { addVersion } from './write.ts'

/**
 * Creates a version, also with the same content as the active one (VER-7). With `setCurrent: false` the asset does not
 * change, and only the event of the new version is emitted (VER-10).
 */
export const create = command(
  createVersion,
  async ({ tx, caller, params: { id }, body, audit }): Promise<Version> => {
    const change = changeIn(body)
    const asset = await lockAsset(tx, caller, id, 'edit')
    assertNotArchived(asset)
    const [stored, version] = await Promise.all([
      contentOf(tx, asset.current_version_id),
      chooseVersionNumber(tx, asset, body),
    ])
    const active = stored ?? fail('ASSET_NOT_FOUND')
    const content = mergeContent(active, changeFor(asset.type, change))
    const { changelog, copyFiles = true, setCurrent = true } = body
    const filesFrom = copyFiles ? asset.current_version_id : undefined
    const versionId = await addVersion(tx, caller, id, { version, content, changelog, filesFrom })

    const changed = [...changedContent(active, content), 'version']
    if (setCurrent) {
      const after = withActive(asset, { id: versionId, version, description: content.description })
      await saveAsset(tx, asset, after, changesContentText(changed) ? content.bodyMarkdown : undefined)
      emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: asset.slug, changes: changed })
    }
    emit(tx, caller, 'ai-asset.version-created', { assetId: id, slug: asset.slug, version })
    audit(id, changed)
    return versionReply(tx, caller, id, version)
  },
)

type VersionChoice = Pick<Input<typeof createVersion>['body'], 'version' | 'bump'>

/** The requested number, or the next one. Fails with VERSION_EXISTS if the number is taken. */
async function chooseVersionNumber(
  tx: Tx,
  asset: AssetRow,
  { version, bump }: VersionChoice,
): Promise<string> {
  if (version === undefined) return nextVersion(tx, asset.id, asset.current_version, bump)
  const existing = await versionOf(tx, asset.id, version)
  if (existing) {
    fail('VERSION_EXISTS', {
      version,
      contentHash: existing.content_hash,
      nextVersion: await nextVersion(tx, asset.id, version),
    })
  }
  return version
}
