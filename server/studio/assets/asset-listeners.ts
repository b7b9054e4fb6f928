import type { Tx } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'

type RetiredListener = (tx: Tx, caller: Caller, assetId: string) => Promise<void>
type TransferredListener = (tx: Tx, assetId: string, authorId: string) => Promise<void>

const retiredListeners: RetiredListener[] = []
const transferredListeners: TransferredListener[] = []

/** Another area that acts when an asset is archived or deleted, in the transaction that does it. */
export function onAssetRetired(listener: RetiredListener): void {
  retiredListeners.push(listener)
}

/** Another area that acts when an asset has another author, in the transaction that hands it over. */
export function onAssetTransferred(listener: TransferredListener): void {
  transferredListeners.push(listener)
}

export async function notifyAssetRetired(tx: Tx, caller: Caller, assetId: string): Promise<void> {
  await Promise.all(retiredListeners.map(listener => listener(tx, caller, assetId)))
}

export async function notifyAssetTransferred(tx: Tx, assetId: string, authorId: string): Promise<void> {
  await Promise.all(transferredListeners.map(listener => listener(tx, assetId, authorId)))
}
