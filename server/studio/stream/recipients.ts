import { type EventName, events as eventCatalogue } from '#contract/events.ts'
import type { Db } from '#platform/data/db.ts'
import type { MayReceive, StoredEvent } from '#platform/events/sse-broker.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type AssetReaders, mayRead, readersOf } from '../assets/asset.access.ts'

/**
 * Decides who receives catalogue events: the members who may read the asset at that moment, for some events except the
 * actor. An event for former readers goes to people who could read the asset before and cannot now, or to the one person
 * that it names. One query reads all assets; each member is then checked in memory.
 */
export async function catalogRecipients(db: Db, events: readonly StoredEvent[]): Promise<MayReceive> {
  const readers = await readersOf(db, [...new Set(events.map(assetIdOf))])
  return (caller, event) => {
    if (excludesActor(event) && event.actor_id === caller.personId) return false
    if (event.about?.formerReader !== undefined) return event.about.formerReader === caller.personId
    const isReader = mayReadAsset(caller, readers.get(assetIdOf(event)))
    const formerReaders = formerReadersOf(event)
    return formerReaders ? !isReader && mayRead(caller, formerReaders) : isReader
  }
}

/** The key of an event with a counter: of several events with the same key in a short time, only the last is sent. */
export function counterKey(event: StoredEvent): string | undefined {
  return excludesActor(event) ? `${event.name} ${assetIdOf(event)}` : undefined
}

function mayReadAsset(caller: Caller, readers: AssetReaders | undefined): boolean {
  return readers !== undefined && mayRead(caller, readers)
}

function formerReadersOf({ about }: StoredEvent): AssetReaders | undefined {
  return about?.formerReaders === undefined ? undefined : (JSON.parse(about.formerReaders) as AssetReaders)
}

function excludesActor({ name }: StoredEvent): boolean {
  return eventCatalogue[name as EventName]?.audience === 'asset-readers-but-actor'
}

function assetIdOf({ data }: StoredEvent): string {
  return String(data.assetId)
}
