import { now } from '../../clock.ts'
import { Refusal } from '../../fail.ts'
import type { Caller } from '../../http/caller.ts'
import type { Log } from '../../log.ts'
import { eventText, frameOf, retryText } from './frames.ts'
import type { StreamLeases } from './leases.ts'
import type { Receiver } from './receiver.ts'
import type { Subscriber } from './subscriber.ts'
import type { TopicContext } from './topic.ts'

/** What a heartbeat needs of the hub. */
export type HeartbeatContext = {
  leases: StreamLeases
  log: Pick<Log, 'warn'>
  /** Who a caller is now; undefined when their session or membership has ended. */
  callers: { load(caller: Caller): Promise<Caller | undefined> }
  /** Rechecks have their own gate, so that a heartbeat of many does not hold up events. */
  recheckInTurn: TopicContext['inTurn']
}

/** The heartbeat of some members: a frame, their leases, and another look at what they may do. */
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
      // it ran out while the database did not answer, and the place may be taken
      if (!(await leases.take(lease))) closeStream(receiver)
      else if (!receiver.isOpen()) leases.release(lease)
    }
  } catch (error) {
    log.warn({ err: error }, 'streams could not be renewed')
  }
}

/** Looks who the caller is now, and ends the stream of who may not have it any more. */
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
    // a check that began later knows better
    if (check === subscriber.checks) subscriber.caller = caller
  } catch (error) {
    if (error instanceof Refusal) closeStream(subscriber.receiver)
    else log.warn({ err: error }, 'a stream could not be checked')
  }
}

/** Ends a stream with a hint when to come back. */
export function closeStream(receiver: Receiver): void {
  receiver.end(`${retryText()}\n`)
}
