import { openPeopleStream } from '#contract/identity/stream.ts'
import type { Operation } from '#contract/operation.ts'
import { type PeopleEventName, peopleEvents, type ReadingRights } from '#contract/people-events.ts'
import { lookUp } from '#platform/required.ts'
import { areas } from './areas.ts'
import { selectForPeople } from './platform/events/announced-changes.ts'
import { type MayReceive, type StoredEvent, type StreamKind, streamOf } from './platform/events/sse-broker.ts'
import { hasRights } from './platform/http/admission.ts'
import { eventStream } from './platform/http/event-stream.ts'

/** The streams of the areas that the people's stream carries, by name, with the rights that opening them takes. */
const partsByStream = new Map(
  areas
    .flatMap(({ streams }) => streams ?? [])
    .map(({ kind, contract }) => [kind.stream, { kind, rights: rightsOf(contract) }]),
)

const everybody: MayReceive = () => true

/**
 * One stream of all areas (PEO-1). The events of another stream go to the same people as there, if they may
 * open that stream; the others to the people who may read the changed objects (PEO-4).
 */
const peopleStreamKind: StreamKind = {
  stream: 'people',
  carries: [...partsByStream.keys(), 'people'],
  select: selectForPeople,
  audience: async (db, events) => {
    const eventsByStream = Map.groupBy(events, event => String(streamOf(event)))
    const audiences = await Promise.all(
      [...eventsByStream].map(async ([stream, own]) => {
        const kind = partsByStream.get(stream)?.kind
        return [stream, kind ? await kind.audience(db, own) : everybody] as const
      }),
    )
    const audienceByStream = new Map(audiences)
    return (caller, event) => lookUp(audienceByStream, String(streamOf(event)))(caller, event)
  },
  replaces: event => partsByStream.get(String(streamOf(event)))?.kind.replaces?.(event),
  allows: (caller, event) => hasRights(caller, rightsFor(event)),
}

/** The stream of everything that a person may see (PEO-1). */
export const peopleStream = eventStream(openPeopleStream, peopleStreamKind)

/** The rights that receiving an event takes. */
function rightsFor(event: StoredEvent): Parameters<typeof hasRights>[1] {
  const part = partsByStream.get(String(streamOf(event)))
  return part?.rights ?? (peopleEvents[event.name as PeopleEventName].rights as ReadingRights)
}

function rightsOf({
  module,
  capability,
  feature,
  auth,
}: Pick<Operation, 'module' | 'capability' | 'feature' | 'auth'>) {
  return { module, capability, feature, permission: auth.session?.permission ?? null }
}
