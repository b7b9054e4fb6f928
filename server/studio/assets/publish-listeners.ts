import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'

/** A version of an asset that was published just now. */
export type PublishedVersion = { assetId: string; slug: string; version: string }
type Listener = (tx: Tx, caller: Caller, version: PublishedVersion) => Promise<void>

const listeners: Listener[] = []

/** Another area that wants to know of each published version, in the transaction that publishes it. */
export function onVersionPublished(listener: Listener): void {
  listeners.push(listener)
}

/** Says that a version was published: to the stream, and to the areas that listen. */
export async function emitPublished(tx: Tx, caller: Caller, version: PublishedVersion): Promise<void> {
  emit(tx, caller, 'ai-asset.published', version)
  await Promise.all(listeners.map(listener => listener(tx, caller, version)))
}
