import type { Db } from '../../data/db.ts'
import { recipientKey } from '../emit.ts'
import type { StoredEvent } from '../relay.sql.ts'
import { streamOf } from './frames.ts'
import type { MayReceive, StreamKind } from './subscriber.ts'

/**
 * The recipients of the events of a batch: those that an event names, otherwise those that the area of the
 * stream selects.
 */
export async function audienceOf(
  kind: StreamKind,
  db: Db,
  events: readonly StoredEvent[],
): Promise<MayReceive> {
  const unnamed = events.filter(({ recipients }) => recipients === null)
  const mayReceive = unnamed.length > 0 ? await kind.audience(db, unnamed) : undefined
  return (caller, event) =>
    kind.allows?.(caller, event) !== false &&
    (event.recipients ? event.recipients.includes(recipientKey(caller)) : mayReceive!(caller, event))
}

/** The events of a page that a kind of stream sends; `positions` are those of subscribers within the page. */
export function selectEvents(
  kind: StreamKind,
  page: readonly StoredEvent[],
  positions: readonly number[] = [],
): StoredEvent[] {
  return kind.select?.(page, positions) ?? page.filter(event => streamOf(event) === kind.stream)
}
