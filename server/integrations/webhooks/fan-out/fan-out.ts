import type { ForApplications } from '#contract/events.ts'
import { chunksOf } from '#platform/data/columns.ts'
import type { Database } from '#platform/data/database.ts'
import type { NumberedEvent } from '#platform/events/number-batch.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import type { FanOut } from '#platform/events/relay.ts'
import { newIdsInOrder } from '#platform/ids.ts'
import { lastOf, required } from '#platform/required.ts'
import type { WrittenDelivery } from '../due-delivery.ts'
import {
  type DeliveryInsert,
  deliveryArgs,
  insertDeliveries,
  insertNewRanges,
  newRangeArgs,
  type SubscribedEndpoint,
  selectSubscribed,
} from './fan-out.sql.ts'
import { eventDefinition, needsRecipientCheck, renderBody, renderData } from './render.ts'
import { receivesWhole, scopesPermit } from './scopes.ts'

export type FanOutOptions = {
  database: Database
  /** Decides who may receive events that not all applications may see; by default nobody. */
  recipients?: RecipientsResolver
  /** Called with deliveries after their commit. Must not throw. */
  onWritten(deliveries: readonly WrittenDelivery[]): void
  /** Finds the definition of an event; by default in the contract. */
  definitionOf?: (name: string) => ForApplications | undefined
}

type ApplicationEvent = { event: NumberedEvent; definition: ForApplications }
type MatchedEvent = ApplicationEvent & { endpoints: SubscribedEndpoint[] }

const rowsPerStatement = 1_000

/**
 * Creates deliveries for the relay, in the order of the events: one for each application that subscribes to the event,
 * has its scope and did not cause it itself (EVT-4, EVT-5). They are written in the transaction that numbers the events,
 * so that neither exists without the other (DLV-1).
 */
export function openFanOut(options: FanOutOptions): FanOut {
  const { database, onWritten, recipients = noRecipients, definitionOf = eventDefinition } = options
  let lastId = ''
  return async events => {
    const applicationEvents = events.flatMap(event => {
      const definition = definitionOf(event.name)
      return definition ? [{ event, definition }] : []
    })
    if (applicationEvents.length === 0) return undefined
    const subscribed = await matchEndpoints(database, applicationEvents)
    const matched = await filterPermitted(database, recipients, subscribed)
    const rows = matched.flatMap(rowsOf)
    if (rows.length === 0) return undefined
    const firstRows = assignIds(rows, lastId)
    lastId = lastOf(rows).deliveryId
    return {
      rows: rows.length,
      write: (tx, fences) =>
        Promise.all([
          ...chunksOf(rows, rowsPerStatement).map(chunk =>
            tx.rows(insertDeliveries, deliveryArgs(fences, chunk)),
          ),
          tx.rows(insertNewRanges, newRangeArgs(fences, firstRows)),
        ]),
      committed: () => onWritten(rows),
    }
  }
}

/** Finds the endpoints that receive each event, apart from access to channels. Leaves out events without any. */
async function matchEndpoints(
  { crossTenant }: Database,
  applicationEvents: readonly ApplicationEvent[],
): Promise<MatchedEvent[]> {
  const forSubject = applicationEvents.filter(({ definition }) => isForSubject(definition))
  const forMany = applicationEvents.filter(({ definition }) => !isForSubject(definition))
  const endpoints = await crossTenant.rows(selectSubscribed, {
    organizationIds: [...new Set(applicationEvents.map(({ event }) => event.organizationId))],
    names: [...new Set(forMany.map(({ event }) => event.name))],
    subjects: [...new Set(forSubject.flatMap(({ event }) => event.about?.applicationId ?? []))],
  })
  const byOrganization = Map.groupBy(endpoints, endpoint => endpoint.organization_id)
  const byApplication = Map.groupBy(endpoints, endpoint => `${endpoint.organization_id}/${endpoint.id}`)
  return applicationEvents.flatMap(({ event, definition }) => {
    const { about, organizationId } = event
    const candidates = isForSubject(definition)
      ? byApplication.get(`${organizationId}/${about?.applicationId}`)
      : byOrganization.get(organizationId)
    const matching = candidates?.filter(one => isRecipient(one, event, definition)) ?? []
    return matching.length > 0 ? [{ event, definition, endpoints: matching }] : []
  })
}

/** Leaves out endpoints that may not see an event about a channel. Needs no query if there is none. */
async function filterPermitted(
  { crossTenant }: Database,
  recipients: RecipientsResolver,
  matched: readonly MatchedEvent[],
): Promise<readonly MatchedEvent[]> {
  const toCheck = matched.filter(({ definition }) => needsRecipientCheck(definition))
  if (toCheck.length === 0) return matched
  const queries = toCheck.map(({ event: { organizationId, name, about = {} } }) => ({
    organizationId,
    event: name,
    about,
  }))
  const answers = await recipients.recipientsOf(crossTenant, queries)
  const permitted = new Map(toCheck.map((one, index) => [one, answers[index]]))
  return matched.map(one => {
    const ids = permitted.get(one)
    return ids ? { ...one, endpoints: one.endpoints.filter(({ id }) => ids.has(id)) } : one
  })
}

/** The deliveries of an event. Its data is rendered once. */
function rowsOf({ event, definition, endpoints }: MatchedEvent): DeliveryInsert[] {
  if (endpoints.length === 0) return []
  const data = renderData(event.data, definition)
  return endpoints.map(one => rowOf(event, one, renderBody(event, one, data, definition.schemaVersion)))
}

function isForSubject({ reaches }: ForApplications): boolean {
  return reaches === 'subject' || reaches === 'anyway' || reaches === 'channel-subject'
}

/** True if an application receives an event, apart from its access to a channel: see RecipientsResolver. */
export function isRecipient(
  one: Pick<SubscribedEndpoint, 'id' | 'events' | 'scopes'>,
  { name, actorId, about }: Pick<NumberedEvent, 'name' | 'actorId' | 'about'>,
  definition: ForApplications,
): boolean {
  const { reaches, includesActor } = definition
  const holds = (scope: string) => one.scopes.includes(scope)
  if (!scopesPermit(definition, about, holds) || receivesWhole(definition, about, holds)) return false
  if (!includesActor && actorId === one.id) return false
  const isSubject = about?.applicationId === one.id
  if (isForSubject(definition) && !isSubject) return false
  if (reaches === 'channel-others' && isSubject) return false
  return reaches === 'anyway' || one.events.includes(name)
}

function rowOf(event: NumberedEvent, one: SubscribedEndpoint, body: string): DeliveryInsert {
  return {
    organizationId: event.organizationId,
    applicationId: one.id,
    shard: one.shard,
    // set by assignIds
    deliveryId: '',
    range: { firstId: '', lastId: '', loadedCount: 0 },
    event: event.name,
    body,
    eventId: event.id,
    eventSeq: event.seq,
    about: event.about ?? {},
    at: event.at,
  }
}

/** Assigns ids after `lastId`, in order, and ranges. Returns the first row of each application. */
function assignIds(rows: readonly DeliveryInsert[], lastId: string): DeliveryInsert[] {
  const firsts = new Map<string, DeliveryInsert>()
  const ids = newIdsInOrder(rows.length, lastId)
  for (const [at, row] of rows.entries()) {
    row.deliveryId = required(ids[at], 'the id of a delivery')
    const first = firsts.get(row.applicationId)
    if (first) row.range = first.range
    else {
      row.range.firstId = row.deliveryId
      firsts.set(row.applicationId, row)
    }
    row.range.lastId = row.deliveryId
  }
  return [...firsts.values()]
}
