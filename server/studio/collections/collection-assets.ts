import { limits } from '#contract/limits.ts'
import { addToCollection, removeFromCollection } from '#contract/studio/collections.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { type AssetRow, lockAsset } from '../assets/asset.access.ts'
import { collectionFor } from './collection.access.ts'
import { fileAsset, unfileAsset } from './collection-filings.sql.ts'

/** Adds an asset to a collection. Adding it again changes nothing (COL-11). */
export const add = command(addToCollection, async ({ tx, caller, params: { id }, body, audit }) => {
  const [, asset] = await tx.inOrder(
    () => collectionFor(tx, id),
    () => lockAsset(tx, caller, body.assetId, 'read'),
  )
  const [filing] = await fileAsset(tx, caller, asset, [id])
  if (!filing) fail('COLLECTION_NOT_FOUND')
  if (filing.is_new && filing.previous_count >= limits.assetCollections) fail('TOO_MANY_COLLECTIONS')
  if (filing.is_new) emitUpdated(tx, caller, asset)
  audit(id, filing.is_new ? [`assets.${asset.id}`] : [])
  return { collectionId: id, assetId: asset.id, addedAt: filing.added_at }
})

/** Removes an asset from a collection. Changes nothing if the asset is not in it (COL-12). */
export const removeAsset = command(removeFromCollection, async ({ tx, caller, params, audit }) => {
  const { id, assetId } = params
  const [, asset] = await tx.inOrder(
    () => collectionFor(tx, id),
    () => lockAsset(tx, caller, assetId, 'read'),
  )
  const isUnfiled = await unfileAsset(tx, asset, id)
  if (isUnfiled) emitUpdated(tx, caller, asset)
  audit(id, isUnfiled ? [`assets.${asset.id}`] : [])
})

function emitUpdated(tx: Tx, caller: Caller, { id, slug }: AssetRow): void {
  emit(tx, caller, 'ai-asset.updated', { assetId: id, slug, changes: ['collectionIds'] })
}
