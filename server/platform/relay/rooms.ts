import { setInterval as every } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { closeRoom, type House, openRoom, type Room, wakeRoom } from './room.ts'
import type { Heads, Signal } from './signal.ts'
import { headOf, headsOf } from './store.ts'

/** The rooms of a process, each there as long as somebody is in it. */
export type Rooms = {
  /** The room of an organization, opened at its last event when nobody is in it. Each enter needs a leave. */
  enter(organizationId: string): Promise<Room>
  leave(room: Room): void
  get(organizationId: string): Room | undefined
  stop(): void
}

type Place = { opening: Promise<Room>; room?: Room; visits: number }

/**
 * Opens the rooms and wakes them: by the relay's hint, after a reconnect, which may have cost hints, and by a
 * look at the heads every `pollMs`.
 */
export function openRooms(database: Database, signal: Signal, house: House, pollMs: number): Rooms {
  const places = new Map<string, Place>()
  const stop = new AbortController()

  function get(organizationId: string): Room | undefined {
    return places.get(organizationId)?.room
  }
  async function lookAtHeads(): Promise<void> {
    const heads = await database.wide.rows(headsOf, [...places.keys()])
    for (const { organizationId, seq } of heads) {
      const room = get(organizationId)
      if (room && (seq > room.seq || room.late.length > 0)) wakeRoom(room, house)
    }
  }
  function look(): void {
    if (places.size > 0) lookAtHeads().catch(house.onError)
  }
  function hear(heads: Heads): void {
    if (!heads) {
      look()
      return
    }
    for (const [organizationId, seq] of heads) {
      const room = get(organizationId)
      if (room && seq > room.seq) wakeRoom(room, house)
    }
  }
  async function poll(): Promise<void> {
    for await (const _ of every(pollMs, undefined, { signal: stop.signal, ref: false })) look()
  }
  void signal.onAnnounced(hear)
  signal.onReconnect(look)
  poll().catch(() => {})

  return {
    get,
    async enter(organizationId) {
      let place = places.get(organizationId)
      if (!place) {
        const db = database.of(organizationId)
        place = { visits: 0, opening: db.first(headOf).then(head => openRoom(db, head?.seq ?? 0)) }
        places.set(organizationId, place)
      }
      place.visits++
      try {
        place.room = await place.opening
        return place.room
      } catch (error) {
        if (--place.visits === 0 && places.get(organizationId) === place) places.delete(organizationId)
        throw error
      }
    },
    leave(room) {
      const { organizationId } = room.db
      const place = places.get(organizationId)
      if (!place || --place.visits > 0) return
      places.delete(organizationId)
      closeRoom(room)
    },
    stop: () => stop.abort(),
  }
}
