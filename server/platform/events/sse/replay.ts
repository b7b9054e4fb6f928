import { eventsAfter } from '../relay.sql.ts'
import { lastOfEach } from './coalesce.ts'
import { frameOf, type ResyncReason, resyncText, storedEventFields, storedEventText } from './frames.ts'
import { audienceOf, selectEvents } from './recipients.ts'
import { cursorAt, cursorSeparator, type Subscription } from './subscriber.ts'
import type { Topic, TopicContext } from './topic.ts'

const pageSize = 200

/** Where a stream starts in each of its topics: after the client's cursor or, with a reason, at the present. */
export type ReplayStart = { seqs: number[]; reason?: ResyncReason }

/** The last and the oldest stored event of a topic. */
type TopicHead = { seq: number; oldest: number }

/** Checks a cursor, which has one position for each topic. One bad position makes the client reload everything. */
export function startAt(cursor: string, heads: readonly TopicHead[]): ReplayStart {
  const positions = cursor.split(cursorSeparator)
  const starts = heads.map((head, index) => positionAt(positions[index] ?? '', head))
  const reason =
    positions.length === heads.length ? starts.find(start => start.reason)?.reason : ('unknown' as const)
  return reason ? { seqs: heads.map(head => head.seq), reason } : { seqs: starts.map(({ seq }) => seq) }
}

function positionAt(position: string, head: TopicHead): { seq: number; reason?: ResyncReason } {
  const seq = /^\d{1,15}$/.test(position) ? Number(position) : Number.NaN
  // a future number comes from another database, or from this one before it was restored
  if (!(seq <= head.seq)) return { seq: head.seq, reason: 'unknown' }
  if (seq < head.oldest - 1) return { seq: head.seq, reason: 'expired' }
  return { seq }
}

/**
 * Sends a subscriber the events of a topic after its position, page by page as fast as it reads, and makes it live at
 * exactly the position of the topic, so that nothing is skipped or repeated.
 */
export async function replay(topic: Topic, subscription: Subscription, context: TopicContext): Promise<void> {
  const { kind, receiver } = subscription.subscriber
  while (receiver.isOpen() && !subscription.isLive) {
    const topicSeq = topic.seq
    const rows = await context.inTurn(async () => {
      const page = await topic.db.rows(eventsAfter, { seq: subscription.seq, limit: pageSize })
      const events = selectEvents(kind, page)
      return {
        page,
        events,
        mayReceive: events.length > 0 ? await audienceOf(kind, topic.db, events) : undefined,
      }
    })
    // nothing is awaited from here until the subscriber is live
    const { page, events, mayReceive } = rows
    const hasGap = page[0] ? page[0].seq !== subscription.seq + 1 : topicSeq > subscription.seq
    if (hasGap) {
      // the events in between were deleted during the replay
      subscription.seq = topic.seq
      receiver.send(frameOf(resyncText('expired', cursorAt(subscription, topic.seq))))
    } else {
      const visible = mayReceive
        ? events.filter(event => mayReceive(subscription.subscriber.caller, event))
        : []
      const toSend = kind.replaces ? lastOfEach(visible, kind.replaces) : visible
      if (toSend.length > 0) {
        const { organizationId } = topic.db
        const texts = toSend.map(event =>
          storedEventText(cursorAt(subscription, event.seq), storedEventFields(organizationId, event)),
        )
        receiver.send(frameOf(texts.join('')))
        context.onDelivered(toSend.length)
      }
      subscription.seq = page.at(-1)?.seq ?? subscription.seq
    }
    subscription.sentSeq = subscription.seq
    if (page.length < pageSize && subscription.seq >= topic.seq) subscription.isLive = true
    else await receiver.drained()
  }
}
