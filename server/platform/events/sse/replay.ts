import { eventsAfter } from '../relay.sql.ts'
import { lastOfEach } from './coalesce.ts'
import { frameOf, type ResyncReason, resyncText, storedEventText, streamOf } from './frames.ts'
import { audienceOf } from './recipients.ts'
import type { Subscriber } from './subscriber.ts'
import type { Topic, TopicContext } from './topic.ts'

const pageSize = 200

/** Where a stream starts: after the client's cursor or, with a reason, at the present. */
export type ReplayStart = { seq: number; reason?: ResyncReason }

/** Checks a cursor. `head` holds the last and the oldest stored event of the organization. */
export function startAt(cursor: string, head: { seq: number; oldest: number }): ReplayStart {
  const seq = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN
  // a future number comes from another database, or from this one before it was restored
  if (!(seq <= head.seq)) return { seq: head.seq, reason: 'unknown' }
  if (seq < head.oldest - 1) return { seq: head.seq, reason: 'expired' }
  return { seq }
}

/**
 * Sends a subscriber the events after its cursor, page by page as fast as it reads, and makes it live at
 * exactly the position of the topic, so that nothing is skipped or repeated.
 */
export async function replay(topic: Topic, subscriber: Subscriber, context: TopicContext): Promise<void> {
  const { kind, receiver } = subscriber
  while (receiver.isOpen() && !subscriber.isLive) {
    const topicSeq = topic.seq
    const rows = await context.inTurn(async () => {
      const page = await topic.db.rows(eventsAfter, subscriber.seq, pageSize)
      const events = page.filter(event => streamOf(event) === kind.stream)
      return {
        page,
        events,
        mayReceive: events.length > 0 ? await audienceOf(kind, topic.db, events) : undefined,
      }
    })
    // nothing is awaited from here until the subscriber is live
    const { page, events, mayReceive } = rows
    const hasGap = page[0] ? page[0].seq !== subscriber.seq + 1 : topicSeq > subscriber.seq
    if (hasGap) {
      // the events in between were deleted during the replay
      subscriber.seq = topic.seq
      receiver.send(frameOf(resyncText('expired', topic.seq)))
    } else {
      const visible = mayReceive ? events.filter(event => mayReceive(subscriber.caller, event)) : []
      const toSend = kind.replaces ? lastOfEach(visible, kind.replaces) : visible
      if (toSend.length > 0) {
        receiver.send(frameOf(toSend.map(event => storedEventText(topic.db.organizationId, event)).join('')))
        context.onDelivered(toSend.length)
      }
      subscriber.seq = page.at(-1)?.seq ?? subscriber.seq
    }
    if (page.length < pageSize && subscriber.seq >= topic.seq) subscriber.isLive = true
    else await receiver.drained()
  }
}
