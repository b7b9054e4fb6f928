import { publishAsset } from '#contract/studio/lifecycle.ts'
import { command } from '#platform/http/operation.ts'
import { withPublished } from '../versions/version.rules.ts'
import { publishVersion } from '../versions/version.sql.ts'
import { lockAsset } from './asset.access.ts'
import { assertNotArchived } from './asset.rules.ts'
import { emitPublished } from './publish-listeners.ts'
import { assetReply } from './read.ts'
import { saveAsset } from './write.ts'

/** Publishes the active version. Publishing it again changes nothing and emits no event (AST-24, AST-25). */
export const publish = command(publishAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockAsset(tx, caller, id, 'edit')
  assertNotArchived(asset)
  audit(id)
  const publishedAt = await publishVersion(tx, asset.current_version_id, caller.personId)
  if (publishedAt) {
    await saveAsset(tx, asset, withPublished(asset, publishedAt))
    await emitPublished(tx, caller, { assetId: id, slug: asset.slug, version: asset.current_version })
    audit(id, ['status', 'currentVersion'])
  }
  return assetReply(tx, caller, id)
})
