import { archiveAsset, unarchiveAsset } from '#contract/studio/lifecycle.ts'
import { emit } from '#platform/events/emit.ts'
import { changes } from '#platform/http/operation.ts'
import { lockAsset } from './asset.access.ts'
import { statusOutOfArchive } from './asset.rules.ts'
import { assetNow } from './read.ts'
import { assetRetired } from './source-changes.ts'
import { saveAsset } from './write.ts'

/** Puts an asset out of the way. Archiving what is archived changes nothing. */
export const archive = changes(archiveAsset, async ({ tx, caller, params: { id }, audits }) => {
  const asset = await lockAsset(tx, caller, id, 'admin')
  audits(id)
  if (asset.status !== 'ARCHIVED') {
    await saveAsset(tx, asset, { ...asset, status: 'ARCHIVED' })
    emit(tx, caller, 'ai-asset.archived', { assetId: id, slug: asset.slug })
    await assetRetired(tx, caller, id)
    audits(id, ['status'])
  }
  return assetNow(tx, caller, id)
})

/** Takes an asset back: PUBLISHED when it ever was, else DRAFT. */
export const unarchive = changes(unarchiveAsset, async ({ tx, caller, params: { id }, audits }) => {
  const asset = await lockAsset(tx, caller, id, 'admin')
  audits(id)
  if (asset.status === 'ARCHIVED') {
    await saveAsset(tx, asset, { ...asset, status: statusOutOfArchive(asset) })
    emit(tx, caller, 'ai-asset.unarchived', { assetId: id, slug: asset.slug })
    audits(id, ['status'])
  }
  return assetNow(tx, caller, id)
})
