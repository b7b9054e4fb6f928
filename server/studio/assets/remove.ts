import { removeAsset } from '#contract/studio/assets.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { lockAsset } from './asset.access.ts'
import { notifyAssetRetired } from './asset-listeners.ts'
import { deleteAsset } from './write.ts'

/** Deletes an asset. Its rows are retained for restoring, but hidden (AST-31, AST-32). */
export const remove = command(removeAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockAsset(tx, caller, id, 'admin')
  await deleteAsset(tx, caller, asset)
  emit(tx, caller, 'ai-asset.deleted', { assetId: id, slug: asset.slug })
  await notifyAssetRetired(tx, caller, id)
  audit(id)
})
