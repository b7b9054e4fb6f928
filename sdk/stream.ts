import { pathAt, type StreamRoute } from '#contract/route.ts'
import { CallError, type Client, pause } from './client.ts'
import { createStreamToken } from './routes.ts'

/** One event of a stream. `resync` means that events were missed and local data must be reloaded. */
export type StreamEvent = { id: string | undefined; event: string; data: Record<string, unknown> }

export type StreamOptions<Query> = {
  query?: Query
  /** The id of the last handled event, to resume after it, for instance after a restart. */
  lastEventId?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** A server that sends nothing for this long, not even a heartbeat, counts as gone. */
  silenceMs?: number
  /** Called whenever the stream broke and is being reopened. */
  onReconnect?: (reason: unknown) => void
}

const firstPauseMs = 500
const longestPauseMs = 15_000
/** However long a server asks to wait, the stream is tried again after this time. */
const longestRequestedMs = 60_000

/**
 * Reads an event stream for as long as the caller iterates. It opens the stream with a token, and if the
 * connection breaks, resumes after the last delivered event, so that no event of the 24 hours that the server
 * stores is missed. Heartbeats are not delivered. Throws a CallError on a final refusal: 400, 401 with a
 * session that cannot be renewed, 403, 404.
 */
export async function* openStream<Query>(
  client: Client,
  route: StreamRoute<Query>,
  options: StreamOptions<Query> = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, silenceMs = 60_000, onReconnect } = options
  let lastEventId = options.lastEventId
  let failures = 0
  while (!signal?.aborted) {
    const connection = new AbortController()
    const give = () => connection.abort(signal?.reason)
    signal?.addEventListener('abort', give, { once: true })
    let reason: unknown
    try {
      for await (const event of eventsOf(await open(client, route, options.query, lastEventId, connection), {
        connection,
        silenceMs,
      })) {
        failures = 0
        if (event.id !== undefined) lastEventId = event.id
        if (event.event !== 'heartbeat') yield event
      }
      reason = new Error('The server ended the stream')
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof CallError && isFinal(error.status)) throw error
      reason = error
    } finally {
      // also if the caller leaves its loop
      signal?.removeEventListener('abort', give)
      connection.abort()
    }
    onReconnect?.(reason)
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures++) * (0.5 + Math.random() / 2)
    await pause(Math.max(pauseMs, requestedPauseMs(reason)), signal).catch(() => {})
  }
}

async function open<Query>(
  client: Client,
  route: StreamRoute<Query>,
  query: Query | undefined,
  lastEventId: string | undefined,
  { signal }: AbortController,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { token } = await client.call(createStreamToken, { signal })
  const search = new URLSearchParams({ ...query, token })
  const response = await fetch(`${client.origin}${pathAt('session', route)}?${search}`, {
    headers: {
      Accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    signal,
  })
  if (response.status === 200 && response.body) return response.body
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  throw new CallError({
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
    bytes: new TextEncoder().encode(text),
  })
}

/** A stream refused for its token or the stream limit is retried; a missing permission is final. */
function isFinal(status: number): boolean {
  return [400, 401, 403, 404].includes(status)
}

/** How long the server asked to wait, for instance because the person has too many streams open. */
function requestedPauseMs(reason: unknown): number {
  const seconds = reason instanceof CallError ? Number(reason.body.retryAfterSeconds ?? 0) : 0
  return Math.min(longestRequestedMs, seconds * 1_000)
}

async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { connection, silenceMs }: { connection: AbortController; silenceMs: number },
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  // the id of a block applies until the next one, as in the standard: the first block is a position without an event
  let id: string | undefined
  while (true) {
    const silence = setTimeout(
      () => connection.abort(new Error(`The server was silent for ${silenceMs} ms`)),
      silenceMs,
    )
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      id = event.id ?? id
      if (event.data !== undefined) yield { id, event: event.event, data: event.data }
    }
  }
}

/** One block of a stream. A comment, or a block without data, is not an event. */
function parse(block: string): Omit<StreamEvent, 'data'> & Partial<StreamEvent> {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
    const former = name === 'data' ? fields.get(name) : undefined
    fields.set(name, former === undefined ? value : `${former}\n${value}`)
  }
  const data = fields.get('data')
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    ...(data !== undefined && { data: JSON.parse(data) }),
  }
}
