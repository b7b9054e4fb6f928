import { type EventName, events as promised } from '#contract/events.ts'
import type { Db } from '#platform/data/database.ts'
import type { KeptEvent, MayReceive } from '#platform/events/sse-broker.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type AssetReach, mayRead, readersOf } from '../assets/asset.access.ts'

/**
 * Who receives catalogue events: the members who may read the asset at that moment, for some events without the one
 * who acted. An event for former readers goes to those who could read the asset before and cannot any more, or to the one
 * person that it names. One query
 * for all the assets; each member is then decided in memory.
 */
export async function catalogAudience(db: Db, events: readonly KeptEvent[]): Promise<MayReceive> {
  const reach = await readersOf(db, [...new Set(events.map(assetIdOf))])
  return (caller, event) => {
    if (isForOthers(event) && event.actorId === caller.personId) return false
    if (event.about?.formerReader !== undefined) return event.about.formerReader === caller.personId
    const isReader = mayReadAsset(caller, reach.get(assetIdOf(event)))
    const formerReaders = formerReadersOf(event)
    return formerReaders ? !isReader && mayRead(caller, formerReaders) : isReader
  }
}

/** Counters: of several in a short while only the last one counts, for each asset and kind. */
export function counterOf(event: KeptEvent): string | undefined {
  return isForOthers(event) ? `${event.name} ${assetIdOf(event)}` : undefined
}

function mayReadAsset(caller: Caller, reach: AssetReach | undefined): boolean {
  return reach !== undefined && mayRead(caller, reach)
}

function formerReadersOf({ about }: KeptEvent): AssetReach | undefined {
  return about?.formerReaders === undefined ? undefined : (JSON.parse(about.formerReaders) as AssetReach)
}

function isForOthers({ name }: KeptEvent): boolean {
  return promised[name as EventName]?.audience === 'asset-readers-but-actor'
}

function assetIdOf({ data }: KeptEvent): string {
  return String(data.assetId)
}
