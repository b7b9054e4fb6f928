import { eventsAfter } from '../relay.sql.ts'
import { lastOfEach } from './coalesce.ts'
import { frameOf, keptText, type ResyncReason, resyncText, streamOf } from './frames.ts'
import { audienceOf } from './recipients.ts'
import type { Subscriber } from './subscriber.ts'
import type { Topic, TopicContext } from './topic.ts'

const pageSize = 200

/** Where a stream begins: after the cursor it came with, or, with a reason, at the present. */
export type ReplayStart = { seq: number; reason?: ResyncReason }

/** Judges a cursor. `head` is the last event of the organization and the oldest that is kept. */
export function startAt(cursor: string, head: { seq: number; oldest: number }): ReplayStart {
  const seq = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN
  // a number from the future was given by another database, or by this one before it was restored
  if (!(seq <= head.seq)) return { seq: head.seq, reason: 'unknown' }
  if (seq < head.oldest - 1) return { seq: head.seq, reason: 'expired' }
  return { seq }
}

/**
 * Sends a member what happened after its cursor, page by page as fast as it reads, and makes it live at the
 * very place where the room is. Nothing is skipped or repeated in between.
 */
export async function replay(room: Topic, member: Subscriber, house: TopicContext): Promise<void> {
  const { kind, receiver } = member
  while (receiver.isOpen() && !member.isLive) {
    const roomSeq = room.seq
    const rows = await house.inTurn(async () => {
      const page = await room.db.rows(eventsAfter, member.seq, pageSize)
      const events = page.filter(event => streamOf(event) === kind.stream)
      return {
        page,
        events,
        mayHear: events.length > 0 ? await audienceOf(kind, room.db, events) : undefined,
      }
    })
    // from here to going live nothing is awaited
    const { page, events, mayHear } = rows
    const isHole = page[0] ? page[0].seq !== member.seq + 1 : roomSeq > member.seq
    if (isHole) {
      // the events in between were removed while we read
      member.seq = room.seq
      receiver.send(frameOf(resyncText('expired', room.seq)))
    } else {
      const heard = mayHear ? events.filter(event => mayHear(member.caller, event)) : []
      const due = kind.replaces ? lastOfEach(heard, kind.replaces) : heard
      if (due.length > 0) {
        receiver.send(frameOf(due.map(event => keptText(room.db.organizationId, event)).join('')))
        house.onDelivered(due.length)
      }
      member.seq = page.at(-1)?.seq ?? member.seq
    }
    if (page.length < pageSize && member.seq >= room.seq) member.isLive = true
    else await receiver.drained()
  }
}
