import type { Db } from '#platform/data/database.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { isOfPlace, promiseOf } from '../fan-out/render.ts'

/** What an application may be told now, of notices or events. Nothing is asked when none is about a place. */
export async function inReach<One extends { event: string; about: EventSubject | null }>(
  db: Db,
  reach: RecipientsResolver,
  applicationId: string,
  these: readonly One[],
): Promise<One[]> {
  const ofPlaces = these.filter(({ event }) => {
    const promise = promiseOf(event)
    return promise !== undefined && isOfPlace(promise)
  })
  if (ofPlaces.length === 0) return [...these]
  const asked = ofPlaces.map(({ event, about }) => ({ event, about: about ?? {}, applicationId }))
  const answers = await reach.mayBeToldIn(db, asked)
  const hidden = new Set(ofPlaces.filter((_, at) => !answers[at]))
  return these.filter(one => !hidden.has(one))
}
