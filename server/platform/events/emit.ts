import { channel } from 'node:diagnostics_channel'
import { type EventData, type EventName, events, sharedStreams } from '#contract/events.ts'
import type { Tx } from '../data/db.ts'
import type { Caller } from '../http/caller.ts'
import { newId } from '../ids.ts'

/** One person in one organization. */
export type Recipient = { organizationId: string; personId: string }

/** The source of an event: a person or an application. */
export type EventActor = Pick<Caller, 'personId'> & Partial<Pick<Caller, 'applicationId'>>

/**
 * Ids that decide who receives an event and are not sent with it, such as the ids that an event for
 * applications is about.
 */
export type EventSubject = Readonly<Record<string, string>>

/** The stored form of a recipient. */
export function recipientKey({ organizationId, personId }: Recipient): string {
  return `${organizationId}/${personId}`
}

/** The topic of a stream: the organization, or the name of the stream if all organizations share it. */
export function topicOfStream(stream: string | null, organizationId: string): string {
  return sharedStreams.find(shared => shared === stream) ?? organizationId
}

/** The topic in which an event gets its number. */
export function topicOf(name: string, organizationId: string): string {
  return topicOfStream(events[name as EventName]?.stream ?? null, organizationId)
}

/**
 * The events of an organization by the topic in which each gets its number. Those of a shared topic name no actor, because all
 * organizations read them.
 */
export function eventsByTopic<Event extends { name: string; actorId: string | null }>(
  organizationId: string,
  emitted: readonly Event[],
): ReadonlyMap<string, Event[]> {
  const byTopic = new Map<string, Event[]>()
  for (const event of emitted) {
    const topic = topicOf(event.name, organizationId)
    const written = topic === organizationId ? event : { ...event, actorId: null }
    const others = byTopic.get(topic)
    if (others) others.push(written)
    else byTopic.set(topic, [written])
  }
  return byTopic
}

// the tests listen, as in fail.ts
const announced = channel('patio:emitted')

/** Reports an event that a statement has written into the outbox itself. emit() reports its own. */
export function noteEmitted(name: EventName): void {
  announced.publish(name)
}

/**
 * Emits an event: it is written in the transaction and sent after the commit. contract/events.ts declares who
 * receives it. `to` holds the recipients of an event with the audience `named`, the subject of an event for
 * applications, such as `{ applicationId }`, or the `formerReaders` or `formerReader` of an asset. Returns
 * the id of the event.
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
    throw new Error(`Only an event with the audience "named" has a list of recipients: ${name}`)
  if (to && !Array.isArray(to) && audience !== 'applications' && audience !== 'asset-readers')
    throw new Error(`Only an event for applications or readers of an asset has a subject: ${name}`)
  noteEmitted(name)
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
