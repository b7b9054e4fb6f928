import { setImmediate as breathe } from 'node:timers/promises'
import type { StoredEvent } from '../relay.sql.ts'
import { type Frame, frameOf, storedEventFields, storedEventText } from './frames.ts'
import { cursorAt, type Subscription } from './subscriber.ts'

export type IsNewFor = (subscription: Subscription, event: StoredEvent) => boolean

type Broadcast = {
  organizationId: string
  to: readonly Subscription[]
  events: readonly StoredEvent[]
  isNew: IsNewFor
  /** The cursor after these events, if it is not each event's own number. */
  cursor?: number
  onDelivered(count: number): void
}

/** As many events as a bit mask can hold. */
const sliceSize = 30
const writesPerTurn = 250

/**
 * Writes events to many subscribers. Each event is serialized once, and subscribers with the same visible
 * events of a slice, and the same position in their other topics, share the same bytes and get them in one
 * write. Other work of the process runs in between.
 */
export async function broadcast({
  organizationId,
  to,
  events,
  isNew,
  cursor,
  onDelivered,
}: Broadcast): Promise<void> {
  let writes = 0
  for (let start = 0; start < events.length; start += sliceSize) {
    const slice = events.slice(start, start + sliceSize)
    const fields = slice.map(event => storedEventFields(organizationId, event))
    const shared = new Map<string, { frame: Frame; count: number; lastSeq: number }>()
    for (const subscription of to) {
      let mask = 0
      for (let bit = 0; bit < slice.length; bit++) if (isNew(subscription, slice[bit]!)) mask |= 1 << bit
      if (mask === 0) continue
      const key = `${mask} ${cursorAt(subscription, 0)}`
      let some = shared.get(key)
      if (!some) {
        const chosen = slice.flatMap(({ seq }, bit) =>
          mask & (1 << bit) ? [{ seq: cursor ?? seq, fields: fields[bit]! }] : [],
        )
        const texts = chosen.map(event => storedEventText(cursorAt(subscription, event.seq), event.fields))
        some = { frame: frameOf(texts.join('')), count: chosen.length, lastSeq: chosen.at(-1)!.seq }
        shared.set(key, some)
      }
      subscription.subscriber.receiver.send(some.frame)
      subscription.sentSeq = some.lastSeq
      onDelivered(some.count)
      if (++writes % writesPerTurn === 0) await breathe()
    }
  }
}
