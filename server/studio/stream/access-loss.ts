import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { type AssetReaders, readersOf } from '../assets/asset.access.ts'
import type { Grantee } from '../shares/share.rules.ts'

/** The people who may read the asset now. Call it before a change that removes access. */
export async function currentReaders(tx: Tx, assetId: string): Promise<AssetReaders | undefined> {
  return (await readersOf(tx, [assetId])).get(assetId)
}

/** The grantees of shares as the readers of an asset. */
export function readersByShares(grantees: readonly Grantee[]): AssetReaders {
  return {
    visibility: 'PRIVATE',
    authorId: '',
    departmentIds: [],
    authorWorkspaceIds: [],
    grantees: grantees.map(({ type, id }) => `${type}:${id}`),
  }
}

/**
 * Emits `asset-updated` with the id alone to former readers who cannot read the asset after this transaction. Their
 * clients read the asset again and get 404.
 */
export function emitAccessLoss(
  tx: Tx,
  actor: EventActor,
  assetId: string,
  formerReaders: AssetReaders | undefined,
): void {
  if (!formerReaders) return
  emit(tx, actor, 'ai-asset.updated', { assetId }, { formerReaders: JSON.stringify(formerReaders) })
}

/**
 * Like `emitAccessLoss`, for one named person. Processes may still cache the units of that person from before the
 * change, so the event names its recipient.
 */
export function emitAccessLossFor(tx: Tx, actor: EventActor, assetId: string, personId: string): void {
  emit(tx, actor, 'ai-asset.updated', { assetId }, { formerReader: personId })
}
