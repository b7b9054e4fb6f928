import type { Tx } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'

type OnRetired = (tx: Tx, caller: Caller, assetId: string) => Promise<void>
type OnTransferred = (tx: Tx, assetId: string, authorId: string) => Promise<void>

const onRetired: OnRetired[] = []
const onTransferred: OnTransferred[] = []

/** Another area that acts when an asset is archived or deleted, in the transaction that does it. */
export function whenRetired(listener: OnRetired): void {
  onRetired.push(listener)
}

/** Another area that acts when an asset has another author, in the transaction that hands it over. */
export function whenTransferred(listener: OnTransferred): void {
  onTransferred.push(listener)
}

export async function assetRetired(tx: Tx, caller: Caller, assetId: string): Promise<void> {
  await Promise.all(onRetired.map(listener => listener(tx, caller, assetId)))
}

export async function assetTransferred(tx: Tx, assetId: string, authorId: string): Promise<void> {
  await Promise.all(onTransferred.map(listener => listener(tx, assetId, authorId)))
}
