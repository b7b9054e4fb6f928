import type { Db } from '../../data/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { KeptEvent } from '../relay.sql.ts'
import type { StreamLease } from './leases.ts'
import type { Receiver } from './receiver.ts'

/** One kind of stream, as its area declares it. */
export type StreamKind = {
  /** As in contract/events.ts. */
  readonly stream: string
  /** Asked once for a batch of events that name nobody; the answer decides for each connection without waiting. */
  audience(db: Db, events: readonly KeptEvent[]): Promise<MayReceive>
  /** Of events with the same key only the last one counts. */
  replaces?(event: KeptEvent): string | undefined
}
export type MayReceive = (caller: Caller, event: KeptEvent) => boolean

/** A receiver in its room. */
export type Subscriber = {
  readonly kind: StreamKind
  readonly receiver: Receiver
  caller: Caller
  /** The cursor it came with. */
  readonly startSeq: number
  /** Everything up to here was replayed to it. */
  seq: number
  /** False while its past is replayed. */
  isLive: boolean
  readonly lease: StreamLease
  /** How often somebody began to look what its caller may do. */
  checks: number
  /** Throws a refusal once the caller may not have this stream any more. */
  assertAllowed(caller: Caller): void
}
