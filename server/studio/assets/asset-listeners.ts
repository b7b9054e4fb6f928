import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'

type RetiredListener = (tx: Tx, caller: Caller, assetId: string) => Promise<void>
type TransferredListener = (tx: Tx, assetId: string, authorId: string) => Promise<void>

const retiredListeners: RetiredListener[] = []
const transferredListeners: TransferredListener[] = []

/** Registers a listener that runs in the transaction that archives or deletes an asset. */
export function onAssetRetired(listener: RetiredListener): void {
  retiredListeners.push(listener)
}

/** Registers a listener that runs in the transaction that transfers an asset to another author. */
export function onAssetTransferred(listener: TransferredListener): void {
  transferredListeners.push(listener)
}

export async function notifyAssetRetired(tx: Tx, caller: Caller, assetId: string): Promise<void> {
  await Promise.all(retiredListeners.map(listener => listener(tx, caller, assetId)))
}

export async function notifyAssetTransferred(tx: Tx, assetId: string, authorId: string): Promise<void> {
  await Promise.all(transferredListeners.map(listener => listener(tx, assetId, authorId)))
}
