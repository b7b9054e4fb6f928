import type { ForApplications } from '#contract/event.ts'
import { type EventName, events } from '#contract/events.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { type ChangeAnnouncement, type PeopleEventName, peopleEvents } from '#contract/people-events.ts'
import type { Tx } from '../data/db.ts'
import type { AuditSubject } from './audit.ts'
import { type EventActor, emit } from './emit.ts'
import type { StoredEvent } from './relay.sql.ts'

/** The ids of changed objects, as the people's stream sends them. */
type ChangedIds = { ids: string[]; createdIds?: string[]; removedIds?: string[]; parentIds?: string[] }

/**
 * Emits the event that an operation announces on the people's stream (PEO-6). If the transaction has emitted
 * an event that becomes the same one there, that event is enough.
 */
export function announceChange(
  tx: Tx,
  actor: EventActor,
  { announces }: Pick<Operation, 'announces'>,
  { subject }: AuditSubject,
  params: unknown = {},
): void {
  if (!announces) return
  const pathParams = params as Record<string, string>
  const id = announces.id ? pathParams[announces.id] : subject
  const emitted = tx.pending.events.find(
    ({ name }) => (announcementOf(name)?.event ?? name) === announces.event,
  )
  if (id === undefined) return
  const change = changeOf(announces, id, announces.parent && pathParams[announces.parent])
  if (!emitted) emit(tx, actor, announces.event, change)
  // the operation also knows whether the object is new
  else if (emitted.name === announces.event && isPlainChangeOf(emitted.data, id)) emitted.data = change
}

/** Whether an announcement says no more than that one object changed. */
function isPlainChangeOf(data: unknown, id: string): boolean {
  const { ids, ...others } = data as Partial<ChangedIds>
  return ids?.length === 1 && ids[0] === id && Object.keys(others).length === 0
}

/**
 * The events of a page as the people's stream sends them: events for applications become the events that
 * they announce, and successive changes of one kind become one event with up to 100 ids (PEO-7). It has the
 * number of the last of them, so that a client that resumes after it misses nothing. No event covers both sides of
 * one of the `positions`, so that a subscriber with this position receives nothing twice.
 */
export function selectForPeople(
  page: readonly StoredEvent[],
  positions: readonly number[] = [],
): StoredEvent[] {
  const selected: StoredEvent[] = []
  for (const stored of page) {
    const event = eventForPeople(stored)
    if (!event) continue
    const previous = selected.at(-1)
    const isApart = positions.some(at => previous && previous.seq <= at && at < event.seq)
    const merged = previous && !isApart && mergedChange(previous, event)
    if (merged) selected[selected.length - 1] = merged
    else selected.push(event)
  }
  return selected
}

function eventForPeople(event: StoredEvent): StoredEvent | undefined {
  const declaration = declarationOf(event.name)
  if (declaration?.stream) return event
  const announces = announcementOf(event.name)
  if (!announces) return undefined
  const { data, about } = event
  const parent = announces.parent && (data[announces.parent] ?? about?.[announces.parent])
  const change = changeOf(announces, String(data[announces.id]), parent as string | undefined)
  return { ...event, name: announces.event, data: change, about: null }
}

function changeOf({ change }: ChangeAnnouncement, id: string, parent: string | undefined): ChangedIds {
  return {
    ids: [id],
    ...(change === 'created' && { createdIds: [id] }),
    ...(change === 'removed' && { removedIds: [id] }),
    ...(parent && { parentIds: [parent] }),
  }
}

/** Two successive events as one; undefined if they must stay two. */
function mergedChange(first: StoredEvent, second: StoredEvent): StoredEvent | undefined {
  if (first.name !== second.name || !isMergeable(first) || !isMergeable(second)) return undefined
  const [former, latter] = [first.data, second.data] as [ChangedIds, ChangedIds]
  const ids = union(former.ids, latter.ids)
  if (ids.length > limits.idsPerFrame) return undefined
  const others = (['createdIds', 'removedIds', 'parentIds'] as const).flatMap(field => {
    const both = union(former[field] ?? [], latter[field] ?? [])
    return both.length > 0 ? [[field, both] as const] : []
  })
  return {
    ...second,
    // changes of several people have no one actor
    actor_id: first.actor_id === second.actor_id ? first.actor_id : null,
    data: { ids, ...Object.fromEntries(others) },
  }
}

/** An event that goes to all who may read its objects, so that another one has the same recipients. */
function isMergeable({ name }: StoredEvent): boolean {
  return peopleEvents[name as PeopleEventName]?.audience === 'people'
}

function union(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}

function announcementOf(name: string): ForApplications['announces'] {
  const declaration = declarationOf(name)
  return declaration && 'announces' in declaration ? declaration.announces : undefined
}

function declarationOf(name: string): (typeof events)[EventName] | undefined {
  return (events as Partial<typeof events>)[name as EventName]
}
