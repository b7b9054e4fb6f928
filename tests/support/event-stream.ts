import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { EventData, EventName } from '#contract/events.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit, type Recipient } from '#platform/events/emit.ts'
import { hangsMs } from './crowd.ts'
import { defined } from './elements.ts'
import type { Person, TestServer } from './test-server.ts'

/** One block of an event stream; a block without data has neither `event` nor `data`. */
export type StreamFrame = { id?: string; event?: string; retry?: string; data?: Record<string, unknown> }

/** A block with an event of the product. */
export type EventFrame = StreamFrame & { id: string; event: string; data: Record<string, unknown> }

/** An open event stream on a separate connection. */
export type EventStream = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All blocks so far. */
  readonly frames: StreamFrame[]
  /** The body, if the reply is not a stream. */
  readonly body: string
  /** The first matching block, past or future. */
  until(matches: (frame: StreamFrame) => boolean): Promise<StreamFrame>
  /** The blocks with events of the product. */
  events(): EventFrame[]
  /** Resolves when the server ends the stream or the connection breaks. */
  readonly ended: Promise<void>
  readonly socket: Socket
  close(): void
}

/** Opens a stream and resolves with its headers, or with the whole reply if it is an error. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const clientRequest: ClientRequest = request(url, { headers, agent: false })
  clientRequest.end()
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  clientRequest.on('error', () => {})
  const frames: StreamFrame[] = []
  const waiting = new Set<() => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    if (!response.headers['content-type']?.startsWith('text/event-stream')) return
    const blocks = text.split('\n\n')
    text = defined(blocks.pop())
    frames.push(...blocks.map(read))
    for (const look of waiting) look()
  })
  response
    .on('error', () => end())
    .on('end', () => end())
    .on('close', () => end())
  if (response.statusCode !== 200) await ended

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    ended,
    socket: response.socket,
    get body() {
      return text
    },
    events: () => frames.filter(isEvent),
    until: matches =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`No such frame in time. Got: ${JSON.stringify(frames.slice(-20))}`))
        }, hangsMs)
        function look(): void {
          const frame = frames.find(matches)
          if (!frame) return
          clearTimeout(late)
          waiting.delete(look)
          resolve(frame)
        }
        waiting.add(look)
        look()
      }),
    close: () => clientRequest.destroy(),
  }
}

/**
 * Opens streams of people at a path of the API, each with its own token, and waits until they are connected
 * or refused. They are closed after the test.
 */
export function streamsAt(usual: string, server: () => TestServer) {
  const open: EventStream[] = []
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  return async (
    person: Person,
    { url = server().url, path = usual, more = '', headers = {} } = {},
  ): Promise<EventStream> => {
    const { token } = await person.call(createStreamToken)
    const stream = await openStream(`${url}${path}?token=${token}${more}`, headers)
    open.push(stream)
    if (stream.status === 200) await stream.until(({ event }) => event === 'connected')
    return stream
  }
}

/** Emits an event without a change. */
export async function announce<Name extends EventName>(
  server: TestServer,
  actor: Person,
  name: Name,
  data: EventData<Name>,
  to?: Recipient[],
): Promise<void> {
  const { database, wakeUp } = server.api.services
  await database.transact(
    actor.organizationId,
    async tx => emit(tx, { personId: actor.id }, name, data, to),
    recordEvents,
  )
  wakeUp?.changed()
}

function isEvent(frame: StreamFrame): frame is EventFrame {
  return frame.id !== undefined && frame.event !== undefined && frame.data !== undefined
}

function read(block: string): StreamFrame {
  const fields = Object.fromEntries(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { ...fields, ...(fields.data !== undefined && { data: JSON.parse(fields.data) }) }
}
