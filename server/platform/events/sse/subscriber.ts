import type { Db } from '../../data/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { StoredEvent } from '../relay.sql.ts'
import type { StreamLease } from './leases.ts'
import type { Receiver } from './receiver.ts'

/** One kind of stream, as its area declares it. */
export type StreamKind = {
  /** The name in contract/events.ts. */
  readonly stream: string
  /**
   * Called once for a batch of events without named recipients; the result then decides for each connection
   * without waiting.
   */
  audience(db: Db, events: readonly StoredEvent[]): Promise<MayReceive>
  /** Of events with the same key, only the last one matters. */
  replaces?(event: StoredEvent): string | undefined
}
export type MayReceive = (caller: Caller, event: StoredEvent) => boolean

/** An open stream in its topic. */
export type Subscriber = {
  readonly kind: StreamKind
  readonly receiver: Receiver
  caller: Caller
  /** The cursor of its client at the start. */
  readonly startSeq: number
  /** All events up to here were replayed to it. */
  seq: number
  /** False during the replay. */
  isLive: boolean
  readonly lease: StreamLease
  /** The number of access checks that were started. */
  checks: number
  /** Throws a refusal if the caller may no longer read this stream. */
  assertAllowed(caller: Caller): void
}
