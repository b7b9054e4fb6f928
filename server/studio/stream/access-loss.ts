import type { Tx } from '#platform/data/database.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { type AssetReaders, readersOf } from '../assets/asset.access.ts'
import type { Grantee } from '../shares/share.rules.ts'

/** Who can read the asset now. Send it before the change that narrows this. */
export async function currentReaders(tx: Tx, assetId: string): Promise<AssetReaders | undefined> {
  return (await readersOf(tx, [assetId])).get(assetId)
}

/** The grantees alone, as those who could read an asset. */
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
 * Sends one `asset-updated` with nothing but the id to those of the former readers who cannot read the asset after this
 * transaction: they read it once more, and are answered 404.
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
 * The same for one person, who is named: what the processes remember of them may be older than the change that took the
 * access away.
 */
export function emitAccessLossFor(tx: Tx, actor: EventActor, assetId: string, personId: string): void {
  emit(tx, actor, 'ai-asset.updated', { assetId }, { formerReader: personId })
}
