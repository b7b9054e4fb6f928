import { archiveAsset, unarchiveAsset } from '#contract/studio/lifecycle.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { lockAsset } from './asset.access.ts'
import { statusAfterUnarchive } from './asset.rules.ts'
import { notifyAssetRetired } from './asset-listeners.ts'
import { assetReply } from './read.ts'
import { saveAsset } from './write.ts'

/** Archives an asset. Archiving an archived asset changes nothing (AST-25). */
export const archive = command(archiveAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockAsset(tx, caller, id, 'admin')
  audit(id)
  if (asset.status !== 'ARCHIVED') {
    await saveAsset(tx, asset, { ...asset, status: 'ARCHIVED' })
    emit(tx, caller, 'ai-asset.archived', { assetId: id, slug: asset.slug })
    await notifyAssetRetired(tx, caller, id)
    audit(id, ['status'])
  }
  return assetReply(tx, caller, id)
})

/** Unarchives an asset: PUBLISHED if a version was ever published, otherwise DRAFT. */
export const unarchive = command(unarchiveAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockAsset(tx, caller, id, 'admin')
  audit(id)
  if (asset.status === 'ARCHIVED') {
    await saveAsset(tx, asset, { ...asset, status: statusAfterUnarchive(asset) })
    emit(tx, caller, 'ai-asset.unarchived', { assetId: id, slug: asset.slug })
    audit(id, ['status'])
  }
  return assetReply(tx, caller, id)
})
