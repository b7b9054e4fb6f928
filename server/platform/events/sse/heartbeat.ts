import { now } from '../../clock.ts'
import { Refusal } from '../../fail.ts'
import type { Caller } from '../../http/caller.ts'
import type { Log } from '../../log.ts'
import { eventText, frameOf, retryText } from './frames.ts'
import type { StreamLeases } from './leases.ts'
import type { Receiver } from './receiver.ts'
import type { Member } from './subscriber.ts'
import type { House } from './topic.ts'

/** What a heartbeat needs of the hub. */
export type Care = {
  leases: StreamLeases
  log: Pick<Log, 'warn'>
  /** Who a caller is now; undefined when their session or membership has ended. */
  callers: { load(caller: Caller): Promise<Caller | undefined> }
  /** Rechecks have their own gate, so that a heartbeat of many does not hold up events. */
  recheckInTurn: House['inTurn']
}

/** The heartbeat of some members: a frame, their leases, and another look at what they may do. */
export async function beat(care: Care, members: Member[]): Promise<void> {
  const frame = frameOf(eventText('heartbeat', { at: now().toISOString() }))
  for (const { receiver } of members) receiver.send(frame)
  await Promise.all([keepLeases(care, members), ...members.map(member => recheck(care, member))])
}

async function keepLeases({ leases, log }: Care, members: Member[]): Promise<void> {
  try {
    const held = await leases.renew(members.map(member => member.lease))
    for (const { lease, receiver } of members) {
      if (held.has(lease.id) || !receiver.isOpen()) continue
      // it ran out while the database did not answer, and the place may be taken
      if (!(await leases.take(lease))) leave(receiver)
      else if (!receiver.isOpen()) leases.release(lease)
    }
  } catch (error) {
    log.warn({ err: error }, 'streams could not be renewed')
  }
}

/** Looks who the caller is now, and ends the stream of who may not have it any more. */
export async function recheck({ callers, log, recheckInTurn }: Care, member: Member): Promise<void> {
  member.checks++
  const check = member.checks
  try {
    const caller = await recheckInTurn(() => callers.load(member.caller))
    if (!caller) return leave(member.receiver)
    member.assertAllowed(caller)
    // a check that began later knows better
    if (check === member.checks) member.caller = caller
  } catch (error) {
    if (error instanceof Refusal) leave(member.receiver)
    else log.warn({ err: error }, 'a stream could not be checked')
  }
}

/** Ends a stream with a hint when to come back. */
export function leave(receiver: Receiver): void {
  receiver.end(`${retryText()}\n`)
}
