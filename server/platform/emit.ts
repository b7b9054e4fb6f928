import { channel } from 'node:diagnostics_channel'
import { type EventData, type EventName, events, sharedStreams } from '#contract/events.ts'
import type { Caller } from './caller.ts'
import type { Tx } from './db/database.ts'
import { newId } from './ids.ts'

/** One person in one organization. */
export type Hearer = { organizationId: string; personId: string }

/** What stands for such a person beside the events that they hear. */
export function hearerKey({ organizationId, personId }: Hearer): string {
  return `${organizationId}/${personId}`
}

/** The room whose events a stream carries: that of the organization, or its own when all organizations share it. */
export function roomOfStream(stream: string | null, organizationId: string): string {
  return sharedStreams.find(shared => shared === stream) ?? organizationId
}

/** The room in which an event gets its number. */
export function roomOf(name: string, organizationId: string): string {
  return roomOfStream(events[name as EventName]?.stream ?? null, organizationId)
}

// as in fail.ts: the tests listen
const announced = channel('patio:announced')

/**
 * Announces an event: it is written in the same transaction and leaves it with the commit. Who hears of it
 * stands with its name in contract/events.ts; `to` are the people whom an event of the audience `named` is for.
 */
export function emit<Name extends EventName>(
  tx: Tx,
  caller: Pick<Caller, 'personId'>,
  name: Name,
  data: EventData<Name>,
  to?: readonly Hearer[],
): void {
  if (!(name in events)) throw new Error(`No such event: ${name}`)
  if ((events[name].audience === 'named') !== (to !== undefined))
    throw new Error(`Only an event for named people names them: ${name}`)
  announced.publish(name)
  tx.said.events.push({ id: newId(), name, actorId: caller.personId || null, data, ...(to && { to }) })
}
