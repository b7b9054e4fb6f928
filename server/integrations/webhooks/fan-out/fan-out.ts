import type { ForApplications } from '#contract/events.ts'
import type { Database } from '#platform/db/database.ts'
import { newIdsInOrder } from '#platform/ids.ts'
import type { NumberedEvent } from '#platform/relay/number.ts'
import type { FanOut } from '#platform/relay/relay.ts'
import { promiseOf, renderBody, renderData } from './render.ts'
import { insertDeliveries, type Subscriber, subscribers } from './store.ts'

/** A notice that was just written, as far as its dispatcher needs it. */
export type NewNotice = {
  organizationId: string
  applicationId: string
  shard: number
  deliveryId: string
  event: string
  body: string
}
export type FanOutOptions = {
  database: Database
  /** Hears of notices once they are committed. Must not throw. */
  onWritten(notices: readonly NewNotice[]): void
  /** What an event is to applications; that of the contract. */
  promised?: (name: string) => ForApplications | undefined
}

type Row = NewNotice & { eventId: string; eventSeq: number; about: object; at: string }

const rowsPerStatement = 1_000

/**
 * Makes notices of events, for the relay: in the order of the events, for each application that asked for them,
 * holds the scope and did not do it itself (Document 2, Events). They are written in the transaction that numbers
 * the events, so that neither exists without the other.
 */
export function openFanOut({ database, onWritten, promised = promiseOf }: FanOutOptions): FanOut {
  return async events => {
    const told = events.flatMap(event => {
      const promise = promised(event.name)
      return promise ? [{ event, promise }] : []
    })
    if (told.length === 0) return undefined
    const forMany = told.filter(({ promise }) => promise.reaches === 'subscribers')
    const forOne = told.filter(({ promise }) => promise.reaches !== 'subscribers')
    const found = await database.wide.rows(
      subscribers,
      [...new Set(told.map(({ event }) => event.organizationId))],
      [...new Set(forMany.map(({ event }) => event.name))],
      [...new Set(forOne.flatMap(({ event }) => event.about?.applicationId ?? []))],
    )
    const byOrganization = Map.groupBy(found, ({ organizationId }) => organizationId)
    const rows = told.flatMap(({ event, promise }) => {
      const hearers = (byOrganization.get(event.organizationId) ?? []).filter(one =>
        hears(one, event, promise),
      )
      if (hearers.length === 0) return []
      const data = renderData(event.data, promise)
      return hearers.map(one => rowOf(event, one, renderBody(event, one, data, promise.schemaVersion)))
    })
    if (rows.length === 0) return undefined
    const ids = newIdsInOrder(rows.length)
    for (const [at, row] of rows.entries()) row.deliveryId = ids[at]!
    return {
      rows: rows.length,
      write: (tx, fence) =>
        Promise.all(
          chunks(rows).map(chunk => tx.rows(insertDeliveries, fence, JSON.stringify(chunk.map(columnsOf)))),
        ),
      committed: () => onWritten(rows),
    }
  }
}

/** True when an application is told of an event. */
export function hears(
  one: Pick<Subscriber, 'id' | 'events' | 'scopes'>,
  { name, actorId, about }: Pick<NumberedEvent, 'name' | 'actorId' | 'about'>,
  { scope, reaches, isToldToActor }: ForApplications,
): boolean {
  if (scope !== null && !one.scopes.includes(scope)) return false
  if (!isToldToActor && actorId === one.id) return false
  if (reaches !== 'subscribers' && about?.applicationId !== one.id) return false
  return reaches === 'anyway' || one.events.includes(name)
}

function rowOf(event: NumberedEvent, one: Subscriber, body: string): Row {
  return {
    organizationId: event.organizationId,
    applicationId: one.id,
    shard: one.shard,
    // given when all rows of the batch are there
    deliveryId: '',
    event: event.name,
    body,
    eventId: event.id,
    eventSeq: event.seq,
    about: event.about ?? {},
    at: event.at,
  }
}

function columnsOf(row: Row) {
  return {
    organization_id: row.organizationId,
    id: row.deliveryId,
    application_id: row.applicationId,
    shard: row.shard,
    event_id: row.eventId,
    event_seq: row.eventSeq,
    event: row.event,
    subject: row.about,
    body: row.body,
    emitted_at: row.at,
  }
}

function chunks(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, at) =>
    rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  )
}
