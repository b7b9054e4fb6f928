import type { Db } from '../../data/db.ts'
import type { Caller } from '../../http/caller.ts'
import type { StoredEvent } from '../relay.sql.ts'
import type { StreamLease } from './leases.ts'
import type { Receiver } from './receiver.ts'

/** One kind of stream, as its area declares it. */
export type StreamKind = {
  /** The name in contract/events.ts. A person's streams of one name count against one limit. */
  readonly stream: string
  /** The streams whose events it carries, if it carries those of others as well. */
  readonly carries?: readonly string[]
  /**
   * The events of a page as this kind sends them; without it, the events of its own stream. If it merges events, none
   * covers both sides of one of the `positions`: the last events that some subscribers have received.
   */
  select?(events: readonly StoredEvent[], positions: readonly number[]): StoredEvent[]
  /** Whether the rights of a person allow an event, also one that names its recipients. */
  allows?(caller: Caller, event: StoredEvent): boolean
  /**
   * Called once for a batch of events without named recipients; the result then decides for each connection
   * without waiting.
   */
  audience(db: Db, events: readonly StoredEvent[]): Promise<MayReceive>
  /** Of events with the same key, only the last one matters. */
  replaces?(event: StoredEvent): string | undefined
}
export type MayReceive = (caller: Caller, event: StoredEvent) => boolean

/** An open stream. */
export type Subscriber = {
  readonly kind: StreamKind
  readonly receiver: Receiver
  caller: Caller
  /** One for each topic of its kind, in the order in which its cursor names them. */
  readonly subscriptions: Subscription[]
  readonly lease: StreamLease
  /** The number of access checks that were started. */
  checks: number
  /** Throws a refusal if the caller may no longer read this stream. */
  assertAllowed(caller: Caller): void
}

/** An open stream in one of its topics. */
export type Subscription = {
  readonly subscriber: Subscriber
  /** The position of its client at the start. */
  readonly startSeq: number
  /** All events up to here were replayed to it. */
  seq: number
  /** Its client has received everything up to here that it may receive. */
  sentSeq: number
  /** False during the replay. */
  isLive: boolean
}

/** The cursor of a client that has received everything of this topic up to `seq`. */
export function cursorAt(subscription: Subscription, seq: number): string {
  return subscription.subscriber.subscriptions
    .map(other => (other === subscription ? seq : other.sentSeq))
    .join(cursorSeparator)
}

/** Between the positions of a cursor, one for each topic. */
export const cursorSeparator = '.'
