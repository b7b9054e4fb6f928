import type { ForApplications } from '#contract/events.ts'
import type { Database } from '#platform/data/database.ts'
import type { NumberedEvent } from '#platform/events/number-batch.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import type { FanOut } from '#platform/events/relay.ts'
import { newIdsInOrder } from '#platform/ids.ts'
import {
  freshArgs,
  insertDeliveries,
  insertFresh,
  type NoticeRow,
  noticeArgs,
  type Subscriber,
  subscribers,
} from './fan-out.sql.ts'
import { isOfPlace, promiseOf, renderBody, renderData } from './render.ts'
import { isToldWhole, permits } from './scopes.ts'

/** A notice that was just written, as far as its dispatcher needs it. */
export type NewNotice = Omit<NoticeRow, 'eventId' | 'eventSeq' | 'at'>
export type FanOutOptions = {
  database: Database
  /** Who may be told of what not all may look into; nobody. */
  reach?: RecipientsResolver
  /** Hears of notices once they are committed. Must not throw. */
  onWritten(notices: readonly NewNotice[]): void
  /** What an event is to applications; that of the contract. */
  promised?: (name: string) => ForApplications | undefined
}

type Told = { event: NumberedEvent; promise: ForApplications }

const rowsPerStatement = 1_000

/**
 * Makes deliveries of events, for the relay: in the order of the events, for each application that asked for them,
 * holds the scope and did not do it itself (EVT-4, EVT-5). They are written in the transaction that numbers
 * the events, so that neither exists without the other (DLV-1).
 */
export function openFanOut({
  database,
  reach = noRecipients,
  onWritten,
  promised = promiseOf,
}: FanOutOptions): FanOut {
  let lastId = ''
  return async events => {
    const told = events.flatMap(event => {
      const promise = promised(event.name)
      return promise ? [{ event, promise }] : []
    })
    if (told.length === 0) return undefined
    const forOne = told.filter(({ promise }) => isForOne(promise))
    const forMany = told.filter(({ promise }) => !isForOne(promise))
    const found = await database.wide.rows(
      subscribers,
      [...new Set(told.map(({ event }) => event.organizationId))],
      [...new Set(forMany.map(({ event }) => event.name))],
      [...new Set(forOne.flatMap(({ event }) => event.about?.applicationId ?? []))],
    )
    const byOrganization = Map.groupBy(found, ({ organizationId }) => organizationId)
    const byPlace = Map.groupBy(found, ({ organizationId, id }) => `${organizationId}/${id}`)
    const heard = told.flatMap(({ event, promise }) => {
      const { about, organizationId } = event
      const of = isForOne(promise)
        ? byPlace.get(`${organizationId}/${about?.applicationId}`)
        : byOrganization.get(organizationId)
      const askers = of?.filter(one => hears(one, event, promise)) ?? []
      return askers.length > 0 ? [{ event, promise, askers }] : []
    })
    const reached = await reachedBy(heard)
    const rows = heard.flatMap(({ event, promise, askers }) => {
      const inReach = reached.get(event)
      const hearers = inReach ? askers.filter(({ id }) => inReach.has(id)) : askers
      if (hearers.length === 0) return []
      const data = renderData(event.data, promise)
      return hearers.map(one => rowOf(event, one, renderBody(event, one, data, promise.schemaVersion)))
    })
    if (rows.length === 0) return undefined
    const fresh = placed(rows, lastId)
    lastId = rows.at(-1)!.deliveryId
    return {
      rows: rows.length,
      write: (tx, fence) =>
        Promise.all([
          ...chunks(rows).map(chunk => tx.rows(insertDeliveries, ...noticeArgs(fence, chunk))),
          tx.rows(insertFresh, ...freshArgs(fence, fresh)),
        ]),
      committed: () => onWritten(rows),
    }
  }

  /** Of the events that are about a place, who may be told. Nothing is asked when there is none. */
  async function reachedBy(told: readonly Told[]): Promise<Map<NumberedEvent, ReadonlySet<string>>> {
    const ofPlaces = told.filter(({ promise }) => isOfPlace(promise)).map(({ event }) => event)
    if (ofPlaces.length === 0) return new Map()
    const asked = ofPlaces.map(({ organizationId, name, about = {} }) => ({
      organizationId,
      event: name,
      about,
    }))
    const answers = await reach.hearers(database.wide, asked)
    return new Map(ofPlaces.map((event, at) => [event, answers[at]!]))
  }
}

function isForOne({ reaches }: ForApplications): boolean {
  return reaches === 'subject' || reaches === 'anyway' || reaches === 'channel-subject'
}

/** True when an application is told of an event, as far as that does not depend on a place: see Reach. */
export function hears(
  one: Pick<Subscriber, 'id' | 'events' | 'scopes'>,
  { name, actorId, about }: Pick<NumberedEvent, 'name' | 'actorId' | 'about'>,
  promise: ForApplications,
): boolean {
  const { reaches, isToldToActor } = promise
  const holds = (scope: string) => one.scopes.includes(scope)
  if (!permits(promise, about, holds) || isToldWhole(promise, about, holds)) return false
  if (!isToldToActor && actorId === one.id) return false
  const isSubject = about?.applicationId === one.id
  if (isForOne(promise) && !isSubject) return false
  if (reaches === 'channel-others' && isSubject) return false
  return reaches === 'anyway' || one.events.includes(name)
}

function rowOf(event: NumberedEvent, one: Subscriber, body: string): NoticeRow {
  return {
    organizationId: event.organizationId,
    applicationId: one.id,
    shard: one.shard,
    // given when all rows of the batch are there
    deliveryId: '',
    range: { firstId: '', lastId: '', inHand: 0 },
    event: event.name,
    body,
    eventId: event.id,
    eventSeq: event.seq,
    about: event.about ?? {},
    at: event.at,
  }
}

/** Gives the rows their ids, in order and after `lastId`, and ranges. Returns the first row of each application. */
function placed(rows: readonly NoticeRow[], lastId: string): NoticeRow[] {
  const firsts = new Map<string, NoticeRow>()
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

function chunks(rows: readonly NoticeRow[]): NoticeRow[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, at) =>
    rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  )
}
