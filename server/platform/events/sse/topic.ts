import { limits } from '#contract/limits.ts'
import type { Db } from '../../data/database.ts'
import { eventsAfter, type KeptEvent } from '../relay.sql.ts'
import { broadcast, type IsNewFor } from './broadcast.ts'
import { type Coalescer, openCoalescer } from './coalesce.ts'
import { frameOf, resyncText, streamOf } from './frames.ts'
import { audienceOf } from './recipients.ts'
import type { StreamKind, Subscriber } from './subscriber.ts'

/** The open streams of one organization in this process, or of all that share a stream. */
export type Topic = {
  /** Its organization is the name of the room. */
  readonly db: Db
  readonly members: Set<Subscriber>
  /** Everything up to here has been handed to the live members. */
  seq: number
  readonly coalescers: Map<StreamKind, Coalescer>
  /** What a coalescer held back and now wants to go out. */
  late: { kind: StreamKind; event: KeptEvent }[]
  isBusy: boolean
  isBehind: boolean
}

/** What all rooms of a process share. */
export type TopicContext = {
  /** Runs what asks the database, a few rooms at a time. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  onError(error: unknown): void
  onDelivered(count: number): void
}

const pageSize = 500

export function openTopic(db: Db, seq: number): Topic {
  return { db, members: new Set(), seq, coalescers: new Map(), late: [], isBusy: false, isBehind: false }
}

export function closeTopic(room: Topic): void {
  for (const coalescer of room.coalescers.values()) coalescer.stop()
}

/** Says that there may be more for this room. One run at a time takes it all. */
export function wakeTopic(room: Topic, house: TopicContext): void {
  room.isBehind = true
  if (room.isBusy || room.members.size === 0) return
  room.isBusy = true
  void run(room, house)
}

async function run(room: Topic, house: TopicContext): Promise<void> {
  do {
    room.isBehind = false
    try {
      await house.inTurn(async () => {
        if (room.late.length > 0) await handOutLate(room, house)
        if (await handOutNext(room, house)) room.isBehind = true
      })
    } catch (error) {
      // the next look at the heads tries again from the same place
      house.onError(error)
    }
  } while (room.isBehind && room.members.size > 0)
  room.isBusy = false
}

/** Hands out the next page. True when it was full. */
async function handOutNext(room: Topic, house: TopicContext): Promise<boolean> {
  const page = await room.db.rows(eventsAfter, room.seq, pageSize)
  const [first] = page
  if (!first) return false
  const batches = []
  for (const kind of new Set(live(room).map(member => member.kind))) {
    const events = page.filter(event => streamOf(event) === kind.stream)
    if (events.length > 0) batches.push({ kind, events, mayHear: await audienceOf(kind, room.db, events) })
  }
  // nothing is awaited from here until the members are chosen: who goes live later begins at the new place
  const isHole = first.seq !== room.seq + 1
  room.seq = page.at(-1)!.seq
  const present = live(room)
  for (const { receiver, seq } of isHole ? present : []) {
    if (seq < first.seq - 1) receiver.send(frameOf(resyncText('expired', first.seq - 1)))
  }
  for (const { kind, events, mayHear } of batches) {
    const due = kind.replaces ? coalescerOf(room, house, kind).admit(events, kind.replaces) : events
    const isNews: IsNewFor = (member, event) => event.seq > member.seq && mayHear(member.caller, event)
    const to = present.filter(member => member.kind === kind)
    await broadcast({
      organizationId: room.db.organizationId,
      to,
      events: due,
      isNews,
      onDelivered: house.onDelivered,
    })
  }
  return page.length === pageSize
}

/** Hands out what was held back. Its cursor is the room's: going on from there must not repeat what went first. */
async function handOutLate(room: Topic, house: TopicContext): Promise<void> {
  const late = room.late
  room.late = []
  try {
    for (const kind of new Set(late.map(({ kind }) => kind))) {
      const events = late.filter(({ kind: its }) => its === kind).map(({ event }) => event)
      const mayHear = await audienceOf(kind, room.db, events)
      const cursor = room.seq
      // a member whose past was replayed beyond an event has had it, or what replaced it
      const isNews: IsNewFor = (member, event) =>
        member.seq <= cursor &&
        (event.seq <= member.from || event.seq > member.seq) &&
        mayHear(member.caller, event)
      const to = live(room).filter(member => member.kind === kind)
      await broadcast({
        organizationId: room.db.organizationId,
        to,
        events,
        isNews,
        cursor,
        onDelivered: house.onDelivered,
      })
    }
  } catch (error) {
    room.late = [...late, ...room.late]
    throw error
  }
}

function live(room: Topic): Subscriber[] {
  return [...room.members].filter(member => member.isLive)
}

function coalescerOf(room: Topic, house: TopicContext, kind: StreamKind): Coalescer {
  const there = room.coalescers.get(kind)
  if (there) return there
  const made = openCoalescer(limits.reactionCoalesceMs, event => {
    room.late.push({ kind, event })
    wakeTopic(room, house)
  })
  room.coalescers.set(kind, made)
  return made
}
