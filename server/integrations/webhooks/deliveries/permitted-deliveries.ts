import type { Db } from '#platform/data/db.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { eventDefinition, needsRecipientCheck } from '../fan-out/render.ts'

/** Keeps the deliveries or events that an application may receive now. Needs no query if none is about a channel. */
export async function filterPermitted<One extends { event: string; about: EventSubject | null }>(
  db: Db,
  recipients: RecipientsResolver,
  applicationId: string,
  candidates: readonly One[],
): Promise<One[]> {
  const toCheck = candidates.filter(({ event }) => {
    const definition = eventDefinition(event)
    return definition !== undefined && needsRecipientCheck(definition)
  })
  if (toCheck.length === 0) return [...candidates]
  const checks = toCheck.map(({ event, about }) => ({ event, about: about ?? {}, applicationId }))
  const answers = await recipients.mayReceiveIn(db, checks)
  const hidden = new Set(toCheck.filter((_, at) => !answers[at]))
  return candidates.filter(one => !hidden.has(one))
}
