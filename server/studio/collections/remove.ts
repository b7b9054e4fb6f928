import { limits } from '#contract/limits.ts'
import { removeCollection } from '#contract/studio/collections.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockCollectionForDeletion, lockTree } from './collection.access.ts'
import { childCount, deleteCollection } from './collection.sql.ts'
import { filedIn } from './collection-filings.sql.ts'

/**
 * Deletes a collection without children (COL-9). Its assets stay, and the stream sends an event for a limited number of
 * them (COL-10).
 */
export const remove = command(removeCollection, async ({ tx, caller, params: { id }, audit }) => {
  const [, , children, filed] = await tx.inOrder(
    () => lockTree(tx),
    () => lockCollectionForDeletion(tx, id),
    () => childCount(tx, id),
    () => filedIn(tx, id, limits.unfiledAnnounced),
  )
  if (children > 0) fail('COLLECTION_HAS_CHILDREN', { childCount: children })
  await deleteCollection(tx, id)
  for (const asset of filed) {
    emit(tx, caller, 'ai-asset.updated', { assetId: asset.id, slug: asset.slug, changes: ['collectionIds'] })
  }
  audit(id)
})
