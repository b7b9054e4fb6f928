import { setImmediate as breathe } from 'node:timers/promises'
import type { StoredEvent } from '../relay.sql.ts'
import { type Frame, frameOf, storedEventText } from './frames.ts'
import type { Subscriber } from './subscriber.ts'

export type IsNewFor = (subscriber: Subscriber, event: StoredEvent) => boolean

type Broadcast = {
  organizationId: string
  to: readonly Subscriber[]
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
 * events of a slice share the same bytes and get them in one write. Other work of the process runs in
 * between.
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
    const texts = slice.map(event => storedEventText(organizationId, event, cursor))
    const shared = new Map<number, { frame: Frame; count: number }>()
    for (const subscriber of to) {
      let mask = 0
      for (let bit = 0; bit < slice.length; bit++) if (isNew(subscriber, slice[bit]!)) mask |= 1 << bit
      if (mask === 0) continue
      let some = shared.get(mask)
      if (!some) {
        const chosen = texts.filter((_, bit) => mask & (1 << bit))
        some = { frame: frameOf(chosen.join('')), count: chosen.length }
        shared.set(mask, some)
      }
      subscriber.receiver.send(some.frame)
      onDelivered(some.count)
      if (++writes % writesPerTurn === 0) await breathe()
    }
  }
}
