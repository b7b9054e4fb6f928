import type { ForApplications } from '#contract/events.ts'
import type { Database } from '#platform/data/database.ts'
import type { NumberedEvent } from '#platform/events/number-batch.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import type { FanOut } from '#platform/events/relay.ts'
import { newIdsInOrder } from '#platform/ids.ts'
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

/** A notice that was just written, as far as its dispatcher needs it. */
export type WrittenDelivery = Omit<DeliveryInsert, 'eventId' | 'eventSeq' | 'at'>
export type FanOutOptions = {
  database: Database
  /** Who may be told of what not all may look into; nobody. */
  recipients?: RecipientsResolver
  /** Hears of notices once they are committed. Must not throw. */
  onWritten(notices: readonly WrittenDelivery[]): void
  /** What an event is to applications; that of the contract. */
  definitionOf?: (name: string) => ForApplications | undefined
}

type ApplicationEvent = { event: NumberedEvent; definition: ForApplications }

const rowsPerStatement = 1_000

/**
 * Makes deliveries of events, for the relay: in the order of the events, for each application that asked for them,
 * holds the scope and did not do it itself (EVT-4, EVT-5). They are written in the transaction that numbers
 * the events, so that neither exists without the other (DLV-1).
 */
export function openFanOut({
  database,
  recipients = noRecipients,
  onWritten,
  definitionOf = eventDefinition,
}: FanOutOptions): FanOut {
  let lastId = ''
  return async events => {
    const applicationEvents = events.flatMap(event => {
      const definition = definitionOf(event.name)
      return definition ? [{ event, definition }] : []
    })
    if (applicationEvents.length === 0) return undefined
    const forSubject = applicationEvents.filter(({ definition }) => isForSubject(definition))
    const forMany = applicationEvents.filter(({ definition }) => !isForSubject(definition))
    const endpoints = await database.wide.rows(
      selectSubscribed,
      [...new Set(applicationEvents.map(({ event }) => event.organizationId))],
      [...new Set(forMany.map(({ event }) => event.name))],
      [...new Set(forSubject.flatMap(({ event }) => event.about?.applicationId ?? []))],
    )
    const byOrganization = Map.groupBy(endpoints, ({ organizationId }) => organizationId)
    const byApplication = Map.groupBy(endpoints, ({ organizationId, id }) => `${organizationId}/${id}`)
    const matched = applicationEvents.flatMap(({ event, definition }) => {
      const { about, organizationId } = event
      const of = isForSubject(definition)
        ? byApplication.get(`${organizationId}/${about?.applicationId}`)
        : byOrganization.get(organizationId)
      const candidates = of?.filter(one => isRecipient(one, event, definition)) ?? []
      return candidates.length > 0 ? [{ event, definition, candidates }] : []
    })
    const permitted = await permittedApplications(matched)
    const rows = matched.flatMap(({ event, definition, candidates }) => {
      const permittedIds = permitted.get(event)
      const recipientEndpoints = permittedIds
        ? candidates.filter(({ id }) => permittedIds.has(id))
        : candidates
      if (recipientEndpoints.length === 0) return []
      const data = renderData(event.data, definition)
      return recipientEndpoints.map(one =>
        rowOf(event, one, renderBody(event, one, data, definition.schemaVersion)),
      )
    })
    if (rows.length === 0) return undefined
    const firstRows = assignIds(rows, lastId)
    lastId = rows.at(-1)!.deliveryId
    return {
      rows: rows.length,
      write: (tx, fence) =>
        Promise.all([
          ...chunks(rows).map(chunk => tx.rows(insertDeliveries, ...deliveryArgs(fence, chunk))),
          tx.rows(insertNewRanges, ...newRangeArgs(fence, firstRows)),
        ]),
      committed: () => onWritten(rows),
    }
  }

  /** Of the events that are about a place, who may be told. Nothing is asked when there is none. */
  async function permittedApplications(
    applicationEvents: readonly ApplicationEvent[],
  ): Promise<Map<NumberedEvent, ReadonlySet<string>>> {
    const toCheck = applicationEvents
      .filter(({ definition }) => needsRecipientCheck(definition))
      .map(({ event }) => event)
    if (toCheck.length === 0) return new Map()
    const queries = toCheck.map(({ organizationId, name, about = {} }) => ({
      organizationId,
      event: name,
      about,
    }))
    const answers = await recipients.hearers(database.wide, queries)
    return new Map(toCheck.map((event, at) => [event, answers[at]!]))
  }
}

function isForSubject({ reaches }: ForApplications): boolean {
  return reaches === 'subject' || reaches === 'anyway' || reaches === 'channel-subject'
}

/** True when an application is told of an event, as far as that does not depend on a place: see Reach. */
export function isRecipient(
  one: Pick<SubscribedEndpoint, 'id' | 'events' | 'scopes'>,
  { name, actorId, about }: Pick<NumberedEvent, 'name' | 'actorId' | 'about'>,
  definition: ForApplications,
): boolean {
  const { reaches, isToldToActor } = definition
  const holds = (scope: string) => one.scopes.includes(scope)
  if (!scopesPermit(definition, about, holds) || receivesWhole(definition, about, holds)) return false
  if (!isToldToActor && actorId === one.id) return false
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
    // given when all rows of the batch are there
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

/** Gives the rows their ids, in order and after `lastId`, and ranges. Returns the first row of each application. */
function assignIds(rows: readonly DeliveryInsert[], lastId: string): DeliveryInsert[] {
  const firsts = new Map<string, DeliveryInsert>()
  const ids = newIdsInOrder(rows.length, lastId)
  for (const [at, row] of rows.entries()) {
    row.deliveryId = ids[at]!
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

function chunks(rows: readonly DeliveryInsert[]): DeliveryInsert[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, at) =>
    rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  )
}
