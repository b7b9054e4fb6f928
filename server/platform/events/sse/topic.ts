import { limits } from '#contract/limits.ts'
import type { Db } from '../../data/db.ts'
import { firstOf, lastOf } from '../../required.ts'
import { eventsAfter, type StoredEvent } from '../relay.sql.ts'
import { broadcast, type IsNewFor } from './broadcast.ts'
import { type Coalescer, openCoalescer } from './coalesce.ts'
import { frameOf, resyncText } from './frames.ts'
import { audienceOf, selectEvents } from './recipients.ts'
import { cursorAt, type StreamKind, type Subscription } from './subscriber.ts'

/** The open streams of one organization in this process, or of a stream that all organizations share. */
export type Topic = {
  /** Its organization is the name of the topic. */
  readonly db: Db
  readonly subscriptions: Set<Subscription>
  /** All events up to here were sent to the live subscribers. */
  seq: number
  readonly coalescers: Map<StreamKind, Coalescer>
  /** Events that a coalescer held back and that are now due. */
  heldBack: { kind: StreamKind; event: StoredEvent }[]
  isBusy: boolean
  isBehind: boolean
}

/** The context that all topics of a process share. */
export type TopicContext = {
  /** Limits how many topics query the database at once. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  onError(error: unknown): void
  onDelivered(count: number): void
}

const pageSize = 500

export function openTopic(db: Db, seq: number): Topic {
  return {
    db,
    subscriptions: new Set(),
    seq,
    coalescers: new Map(),
    heldBack: [],
    isBusy: false,
    isBehind: false,
  }
}

export function closeTopic(topic: Topic): void {
  for (const coalescer of topic.coalescers.values()) coalescer.stop()
}

/** Signals that there may be new events. One run at a time delivers them all. */
export function wakeTopic(topic: Topic, context: TopicContext): void {
  topic.isBehind = true
  if (topic.isBusy || topic.subscriptions.size === 0) return
  topic.isBusy = true
  void run(topic, context)
}

async function run(topic: Topic, context: TopicContext): Promise<void> {
  do {
    topic.isBehind = false
    try {
      await context.inTurn(async () => {
        if (topic.heldBack.length > 0) await deliverHeldBack(topic, context)
        if (await deliverNextPage(topic, context)) topic.isBehind = true
      })
    } catch (error) {
      // the next poll of the heads tries again from the same position
      context.onError(error)
    }
  } while (topic.isBehind && topic.subscriptions.size > 0)
  topic.isBusy = false
}

/** Delivers the next page. True if it was full. */
async function deliverNextPage(topic: Topic, context: TopicContext): Promise<boolean> {
  const page = await topic.db.rows(eventsAfter, { seq: topic.seq, limit: pageSize })
  const [first] = page
  if (!first) return false
  const batches = []
  for (const kind of new Set(live(topic).map(({ subscriber }) => subscriber.kind))) {
    const events = selectEvents(kind, page)
    if (events.length > 0)
      batches.push({ kind, events, mayReceive: await audienceOf(kind, topic.db, events) })
  }
  // nothing is awaited from here until the subscribers are selected: one that becomes live later starts at
  // the new position
  const hasGap = first.seq !== topic.seq + 1
  topic.seq = lastOf(page).seq
  const liveSubscriptions = live(topic)
  const positions = positionsWithin(page, liveSubscriptions)
  for (const subscription of hasGap ? liveSubscriptions : []) {
    if (subscription.seq >= first.seq - 1) continue
    const cursor = cursorAt(subscription, first.seq - 1)
    subscription.subscriber.receiver.send(frameOf(resyncText('expired', cursor)))
  }
  for (const { kind, events: selected, mayReceive } of batches) {
    const events = positions.length > 0 ? selectEvents(kind, page, positions) : selected
    const due = kind.replaces ? coalescerOf(topic, context, kind).admit(events, kind.replaces) : events
    const isNew: IsNewFor = ({ seq, subscriber }, event) =>
      event.seq > seq && mayReceive(subscriber.caller, event)
    const to = liveSubscriptions.filter(({ subscriber }) => subscriber.kind === kind)
    await broadcast({
      organizationId: topic.db.organizationId,
      to,
      events: due,
      isNew,
      onDelivered: context.onDelivered,
    })
  }
  // also past the events that a client may not receive, so that its cursor does not expire
  for (const subscription of liveSubscriptions)
    subscription.sentSeq = Math.max(subscription.sentSeq, lastOf(page).seq)
  return page.length === pageSize
}

/** The positions of subscribers that a replay brought into the middle of the page. */
function positionsWithin(page: readonly StoredEvent[], subscriptions: readonly Subscription[]): number[] {
  const [first, last] = [firstOf(page).seq, lastOf(page).seq]
  const within = new Set<number>()
  for (const { seq } of subscriptions) if (seq >= first && seq < last) within.add(seq)
  return [...within]
}

/**
 * Delivers the events that were held back. The cursor is the topic's: resuming there must not repeat the
 * events that went first.
 */
async function deliverHeldBack(topic: Topic, context: TopicContext): Promise<void> {
  const heldBack = topic.heldBack
  topic.heldBack = []
  try {
    for (const kind of new Set(heldBack.map(({ kind }) => kind))) {
      const events = heldBack.filter(({ kind: its }) => its === kind).map(({ event }) => event)
      const mayReceive = await audienceOf(kind, topic.db, events)
      const cursor = topic.seq
      // a subscriber whose replay went beyond an event has received it, or its replacement
      const isNew: IsNewFor = ({ seq, startSeq, subscriber }, event) =>
        seq <= cursor && (event.seq <= startSeq || event.seq > seq) && mayReceive(subscriber.caller, event)
      const to = live(topic).filter(({ subscriber }) => subscriber.kind === kind)
      await broadcast({
        organizationId: topic.db.organizationId,
        to,
        events,
        isNew,
        cursor,
        onDelivered: context.onDelivered,
      })
    }
  } catch (error) {
    topic.heldBack = [...heldBack, ...topic.heldBack]
    throw error
  }
}

function live(topic: Topic): Subscription[] {
  return [...topic.subscriptions].filter(({ isLive }) => isLive)
}

function coalescerOf(topic: Topic, context: TopicContext, kind: StreamKind): Coalescer {
  const existing = topic.coalescers.get(kind)
  if (existing) return existing
  const coalescer = openCoalescer(limits.reactionCoalesceMs, event => {
    topic.heldBack.push({ kind, event })
    wakeTopic(topic, context)
  })
  topic.coalescers.set(kind, coalescer)
  return coalescer
}
