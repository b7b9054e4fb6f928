import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { emit } from '#platform/emit.ts'
import { type AssetReach, readersOf } from '../assets/access.ts'
import type { Grantee } from '../shares/rules.ts'

/** Who can read the asset now. Send it before the change that narrows this. */
export async function currentReaders(tx: Tx, assetId: string): Promise<AssetReach | undefined> {
  return (await readersOf(tx, [assetId])).get(assetId)
}

/** The grantee alone, as somebody who could read an asset. */
export function readersByShare({ type, id }: Grantee): AssetReach {
  return {
    visibility: 'PRIVATE',
    authorId: '',
    departmentIds: [],
    authorWorkspaceIds: [],
    grantees: [`${type}:${id}`],
  }
}

/**
 * Sends one `asset-updated` with nothing but the id to those of the former readers who cannot read the asset after this
 * transaction: they read it once more, and are answered 404.
 */
export function announceAccessLoss(
  tx: Tx,
  caller: Caller,
  assetId: string,
  formerReaders: AssetReach | undefined,
): void {
  if (!formerReaders) return
  emit(tx, caller, 'ai-asset.updated', { assetId }, { formerReaders: JSON.stringify(formerReaders) })
}
