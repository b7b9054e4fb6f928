import { now } from '../../clock.ts'
import { Refusal } from '../../fail.ts'
import type { Caller } from '../../http/caller.ts'
import type { Log } from '../../log.ts'
import { eventText, frameOf, retryText } from './frames.ts'
import type { StreamLeases } from './leases.ts'
import type { Receiver } from './receiver.ts'
import type { Subscriber } from './subscriber.ts'
import type { TopicContext } from './topic.ts'

/** The parts of the broker that a heartbeat needs. */
export type HeartbeatContext = {
  leases: StreamLeases
  log: Pick<Log, 'warn'>
  /** Loads a caller again; undefined if the session or membership has ended. */
  callers: { load(caller: Caller): Promise<Caller | undefined> }
  /** Rechecks have their own concurrency limit, so that they do not delay events. */
  recheckInTurn: TopicContext['inTurn']
}

/** The heartbeat of some subscribers: a frame, a renewal of their leases, and a check of their access. */
export async function sendHeartbeat(context: HeartbeatContext, subscribers: Subscriber[]): Promise<void> {
  const frame = frameOf(eventText('heartbeat', { at: now().toISOString() }))
  for (const { receiver } of subscribers) receiver.send(frame)
  await Promise.all([
    keepLeases(context, subscribers),
    ...subscribers.map(subscriber => recheckAccess(context, subscriber)),
  ])
}

async function keepLeases({ leases, log }: HeartbeatContext, subscribers: Subscriber[]): Promise<void> {
  try {
    const held = await leases.renew(subscribers.map(subscriber => subscriber.lease))
    for (const { lease, receiver } of subscribers) {
      if (held.has(lease.id) || !receiver.isOpen()) continue
      // the lease expired while the database did not answer, and another stream may have taken the slot
      if (!(await leases.take(lease))) closeStream(receiver)
      else if (!receiver.isOpen()) leases.release(lease)
    }
  } catch (error) {
    log.warn({ err: error }, 'stream leases could not be renewed')
  }
}

/** Loads the caller again and ends the stream if the access is gone. */
export async function recheckAccess(
  { callers, log, recheckInTurn }: HeartbeatContext,
  subscriber: Subscriber,
): Promise<void> {
  subscriber.checks++
  const check = subscriber.checks
  try {
    const caller = await recheckInTurn(() => callers.load(subscriber.caller))
    if (!caller) return closeStream(subscriber.receiver)
    subscriber.assertAllowed(caller)
    // a check that started later has newer data
    if (check === subscriber.checks) subscriber.caller = caller
  } catch (error) {
    if (error instanceof Refusal) closeStream(subscriber.receiver)
    else log.warn({ err: error }, 'the access of a stream could not be checked')
  }
}

/** Ends a stream with a retry time. */
export function closeStream(receiver: Receiver): void {
  receiver.end(`${retryText()}\n`)
}
