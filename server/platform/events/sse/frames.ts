import { type EventName, events } from '#contract/events.ts'
import { topicOf } from '../emit.ts'
import type { StoredEvent } from '../relay.sql.ts'

/**
 * Bytes that are built once and written to every receiver, as an HTTP chunk or, for HTTP/1.0, without
 * framing.
 */
export type Frame = { readonly chunk: Buffer; readonly bytes: Buffer }

export const lastChunk = Buffer.from('0\r\n\r\n')

export function frameOf(text: string): Frame {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, bytes: chunk.subarray(size.length, -2) }
}

/** One server-sent event without an id. */
export function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The reconnection time, random so that clients do not all return at once. */
export function retryText(): string {
  return `retry: ${Math.round(2_500 + Math.random() * 2_000)}\n`
}

/**
 * The beginning of a stream. Its first block has an id but no data: it is not an event, but gives a client
 * that is cut off early a cursor.
 */
export function openingText(cursor: string, userId: string, at: string, resync?: ResyncReason): string {
  const connected = eventText('connected', { userId, at })
  return `${retryText()}id: ${cursor}\n\n${connected}${resync ? eventText('resync', { reason: resync }) : ''}`
}

/** Why a client cannot resume at its cursor: the event is no longer stored, or never existed. */
export type ResyncReason = 'expired' | 'unknown'

/** Tells the client that it may have missed events: it reloads everything and continues from `cursor`. */
export function resyncText(reason: ResyncReason, cursor: string): string {
  return `id: ${cursor}\n\n${eventText('resync', { reason })}`
}

/** The stream that carries an event, or null. */
export function streamOf(event: StoredEvent): string | null {
  return declarationOf(event)?.stream ?? null
}

/** The name and data of a stored event as they are sent. */
export type EventFields = { frame: string; json: string }

/**
 * A stored event as it is sent (SSE-2), but for its cursor. An event of a shared topic carries only its
 * declared fields.
 */
export function storedEventFields(topic: string, event: StoredEvent): EventFields {
  const { seq, name, at } = event
  const fields = {
    id: String(seq),
    type: name,
    ...(isShared(event)
      ? { at, ...declaredFields(event) }
      : { organizationId: topic, at, ...organizationFields(event) }),
  }
  return { frame: declarationOf(event)?.frame ?? name, json: JSON.stringify(fields) }
}

/**
 * The text of a stored event. `cursor` is its own number, or a later one if it was held back and others went
 * first; with several topics, one position for each.
 */
export function storedEventText(cursor: string, { frame, json }: EventFields): string {
  return `id: ${cursor}\nevent: ${frame}\ndata: ${json}\n\n`
}

function isShared({ name }: StoredEvent): boolean {
  return topicOf(name, '') !== ''
}

function organizationFields(event: StoredEvent): Record<string, unknown> {
  // recipients that were not chosen by their current rights do not see the actor
  if (event.about) return event.data
  const isAnonymous = declarationOf(event)?.audience === 'asset-readers-but-actor'
  return { actorId: isAnonymous ? null : event.actor_id, ...event.data }
}

function declaredFields(event: StoredEvent): Record<string, unknown> {
  const names = Object.keys((declarationOf(event)!.data as { properties: object }).properties)
  return Object.fromEntries(names.map(name => [name, event.data[name]]))
}

function declarationOf({ name }: StoredEvent): (typeof events)[EventName] | undefined {
  return events[name as EventName]
}
