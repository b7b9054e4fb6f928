import type { Database, Db } from '../../data/database.ts'
import { headOf, headsOf } from '../relay.sql.ts'
import type { Signal } from '../signal.ts'
import { closeTopic, openTopic, type Topic, type TopicContext, wakeTopic } from './topic.ts'

/** The rooms of a process, each there as long as somebody is in it. */
export type Topics = {
  /**
   * The room of an organization, or the shared one of this name, opened at its last event when nobody is in it. Each
   * enter needs a leave.
   */
  enter(organizationId: string): Promise<Topic>
  leave(room: Topic): void
  stop(): void
}

type Place = { opening: Promise<Topic>; room?: Topic; visits: number }

type Places = Map<string, Place>

/**
 * Opens the rooms and wakes them: by the relay's hint, after a reconnect, which may have cost hints, and by a
 * look at the heads every `pollMs`.
 */
export function openTopics(database: Database, signal: Signal, house: TopicContext, pollMs: number): Topics {
  const places: Places = new Map()
  const look = () => {
    if (places.size > 0) lookAtHeads(places, database, house).catch(house.onError)
  }
  const timer = setInterval(look, pollMs)
  timer.unref()
  signal.onReconnect(look)
  void signal.onAnnounced(heads => (heads ? wakeBehind(places, heads, house) : look()))
  return {
    enter: organizationId => enter(places, database.of(organizationId)),
    leave(room) {
      const place = places.get(room.db.organizationId)
      if (!place || --place.visits > 0) return
      places.delete(room.db.organizationId)
      closeTopic(room)
    },
    stop: () => clearInterval(timer),
  }
}

async function enter(places: Places, db: Db): Promise<Topic> {
  const { organizationId } = db
  let place = places.get(organizationId)
  if (!place) {
    place = { visits: 0, opening: db.first(headOf).then(head => openTopic(db, head?.seq ?? 0)) }
    places.set(organizationId, place)
  }
  place.visits++
  try {
    place.room = await place.opening
    return place.room
  } catch (error) {
    if (--place.visits === 0) places.delete(organizationId)
    throw error
  }
}

async function lookAtHeads(places: Places, database: Database, house: TopicContext): Promise<void> {
  const heads = await database.wide.rows(headsOf, [...places.keys()])
  wakeBehind(places, new Map(heads.map(({ organizationId, seq }) => [organizationId, seq])), house)
}

function wakeBehind(places: Places, heads: ReadonlyMap<string, number>, house: TopicContext): void {
  for (const [organizationId, seq] of heads) {
    const room = places.get(organizationId)?.room
    if (room && (seq > room.seq || room.late.length > 0)) wakeTopic(room, house)
  }
}
