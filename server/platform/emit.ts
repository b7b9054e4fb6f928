import { channel } from 'node:diagnostics_channel'
import { type EventData, type EventName, events } from '#contract/events.ts'
import type { Caller } from './caller.ts'
import type { Tx } from './db/database.ts'
import { newId } from './ids.ts'

// as in fail.ts: the tests listen
const announced = channel('patio:announced')

/**
 * Announces an event: it is written in the same transaction and leaves it with the commit. Who hears of it
 * stands with its name in contract/events.ts.
 */
export function emit<Name extends EventName>(
  tx: Tx,
  caller: Pick<Caller, 'personId'>,
  name: Name,
  data: EventData<Name>,
): void {
  if (!(name in events)) throw new Error(`No such event: ${name}`)
  announced.publish(name)
  tx.said.events.push({ id: newId(), name, actorId: caller.personId || null, data })
}
