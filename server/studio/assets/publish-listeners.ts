import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'

/** A version that was just published. */
export type PublishedVersion = { assetId: string; slug: string; version: string }
type Listener = (tx: Tx, caller: Caller, version: PublishedVersion) => Promise<void>

const listeners: Listener[] = []

/** Registers a listener that runs in the transaction that publishes a version. */
export function onVersionPublished(listener: Listener): void {
  listeners.push(listener)
}

/** Emits the event of a published version and runs the listeners of other areas. */
export async function emitPublished(tx: Tx, caller: Caller, version: PublishedVersion): Promise<void> {
  emit(tx, caller, 'ai-asset.published', version)
  await Promise.all(listeners.map(listener => listener(tx, caller, version)))
}
