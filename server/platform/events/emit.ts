import { channel } from 'node:diagnostics_channel'
import { type EventData, type EventName, events, sharedStreams } from '#contract/events.ts'
import type { Tx } from '../data/database.ts'
import type { Caller } from '../http/caller.ts'
import { newId } from '../ids.ts'

/** One person in one organization. */
export type Recipient = { organizationId: string; personId: string }

/** Who an event comes from: a person, or an application. */
export type EventActor = Pick<Caller, 'personId'> & Partial<Pick<Caller, 'applicationId'>>

/** What decides who receives an event and does not leave with it, such as the ids that an event for applications is about. */
export type EventSubject = Readonly<Record<string, string>>

/** What stands for such a person beside the events that they hear. */
export function recipientKey({ organizationId, personId }: Recipient): string {
  return `${organizationId}/${personId}`
}

/** The room whose events a stream carries: that of the organization, or its own when all organizations share it. */
export function topicOfStream(stream: string | null, organizationId: string): string {
  return sharedStreams.find(shared => shared === stream) ?? organizationId
}

/** The room in which an event gets its number. */
export function topicOf(name: string, organizationId: string): string {
  return topicOfStream(events[name as EventName]?.stream ?? null, organizationId)
}

// as in fail.ts: the tests listen
const announced = channel('patio:emitted')

/**
 * Announces an event: it is written in the same transaction and leaves it with the commit. Who hears of it
 * stands with its name in contract/events.ts; `to` are the people whom an event of the audience `named` is for, or
 * what an event for applications is about, such as `{ applicationId }`, or the `formerReaders` or one `formerReader` of
 * an asset. Returns the
 * id of the event.
 */
export function emit<Name extends EventName>(
  tx: Tx,
  actor: EventActor,
  name: Name,
  data: EventData<Name>,
  to?: readonly Recipient[] | EventSubject,
): string {
  if (!(name in events)) throw new Error(`No such event: ${name}`)
  const { audience } = events[name]
  if ((audience === 'named') !== Array.isArray(to))
    throw new Error(`Only an event for named people names them: ${name}`)
  if (to && !Array.isArray(to) && audience !== 'applications' && audience !== 'asset-readers')
    throw new Error(`Only an event for applications or readers of an asset is about something: ${name}`)
  announced.publish(name)
  const id = newId()
  tx.pending.events.push({
    id,
    name,
    actorId: actor.personId || actor.applicationId || null,
    data,
    ...(to && (Array.isArray(to) ? { to } : { about: to as EventSubject })),
  })
  return id
}
