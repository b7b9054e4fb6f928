import { Client, type Dispatcher } from 'undici'
import { monotonicMs } from '../../clock.ts'
import { BlockedAddress, openAddressRule } from './addresses.ts'
import { type Dialed, type DialOptions, type DialTimes, openDialer } from './dial.ts'
import { NameUnknown, openNames, openResolve, type Resolve } from './resolve-names.ts'
import { type InterimFilter, skipInterim } from './skip-interim.ts'

/** The outcome of a POST. ANSWERED: with any status; all others: without one. */
export type PostOutcome = 'ANSWERED' | 'TIMEOUT' | 'CONNECT' | 'DNS' | 'TLS' | 'RESET' | 'BLOCKED_ADDRESS'
export type PostResult = {
  outcome: PostOutcome
  status: number | null
  headers: Record<string, string>
  /** The beginning of the response body. */
  answer: string
  /** The dialled address. */
  address: string | null
  durationMs: number
  /** Milliseconds; the connection's times are 0 if it was reused. */
  times: DialTimes & { firstByte: number; rest: number }
  error: string | null
}

/** A client for one origin: persistent connections with one request at a time. */
export type OriginClient = {
  post(path: string, headers: string[], body: Buffer): Promise<PostResult>
  close(): void
}
export type HttpClient = { open(origin: string): OriginClient; names: ReturnType<typeof openNames> }

export type HttpClientOptions = {
  /** Networks that may be reached although they are not public. */
  networks?: readonly string[]
  resolve?: Resolve
  ca?: string | undefined
  connectMs: number
  timeoutMs: number
  /** How many bytes of a response are read before the connection is closed, and how many are stored. */
  readBytes: number
  storedBytes: number
}

type Connection = {
  client: Client
  bornAt: number
  dials: number
  dialed: Dialed | undefined
  uses: number
  interim: InterimFilter | undefined
}
type ClientOptions = HttpClientOptions & { dial: DialOptions }

const storedHeaders = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server']
const headerLength = 256
const keepAliveMs = 60_000
const connectionLifeMs = 10 * 60_000
/**
 * If the other side closed an idle connection during the request, the request is sent once more within this
 * time.
 */
const resendMs = 1_000

/** Opens a client for requests to URLs that users choose. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const rule = openAddressRule(options.networks)
  const names = openNames(rule, options.resolve ?? openResolve())
  const dial = { names, timeoutMs: options.connectMs, ca: options.ca }
  return { names, open: origin => openOriginClient(origin, { ...options, dial }) }
}

function openOriginClient(origin: string, options: ClientOptions): OriginClient {
  const idle: Connection[] = []
  const connections = new Set<Connection>()
  let isClosed = false

  function acquireConnection(): Connection {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (monotonicMs() - connection.bornAt < connectionLifeMs) return connection
      drop(connection)
    }
    const connection = openConnection(origin, options.dial)
    connections.add(connection)
    return connection
  }
  function releaseConnection(connection: Connection): void {
    if (isClosed || connection.client.destroyed) drop(connection)
    else idle.push(connection)
  }
  function drop(connection: Connection): void {
    connections.delete(connection)
    if (!connection.client.destroyed) void connection.client.destroy().catch(() => {})
  }

  return {
    post(path, headers, body) {
      const { promise, resolve } = Promise.withResolvers<PostResult>()
      const startedAt = monotonicMs()
      function attempt(isSecond: boolean): void {
        const connection = acquireConnection()
        const wasUsed = connection.uses > 0 && connection.dialed !== undefined
        const dials = connection.dials
        postOn(connection, { path, headers, body }, options, startedAt, result => {
          if (result.outcome === 'ANSWERED') releaseConnection(connection)
          else drop(connection)
          const diedIdle = result.outcome === 'RESET' && wasUsed && connection.dials === dials
          if (!diedIdle || isSecond || result.durationMs > resendMs) return resolve(result)
          // the other idle connections are as old as that one
          for (const other of idle.splice(0)) drop(other)
          attempt(true)
        })
      }
      attempt(false)
      return promise
    },
    close() {
      isClosed = true
      for (const connection of idle.splice(0)) drop(connection)
    },
  }
}

function openConnection(origin: string, dial: DialOptions): Connection {
  const connection: Omit<Connection, 'client'> & { client?: Client } = {
    bornAt: monotonicMs(),
    dials: 0,
    dialed: undefined,
    uses: 0,
    interim: undefined,
  }
  const connect = openDialer(dial, dialed => {
    connection.dialed = dialed
    connection.dials++
    connection.uses = 0
  })
  connection.client = new Client(origin, {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: connectionLifeMs,
    // one exact timer covers the whole request
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    connect: (to, callback) =>
      connect(to, (...result) => {
        const [, socket] = result
        if (socket) connection.interim = skipInterim(socket)
        callback(...result)
      }),
  })
  return connection as Connection
}

type PostRequest = { path: string; headers: string[]; body: Buffer }

/** Sends one POST. The status decides; the rest of the response is only recorded. */
function postOn(
  connection: Connection,
  request: PostRequest,
  options: ClientOptions,
  startedAt: number,
  onEnd: (result: PostResult) => void,
): void {
  const dials = connection.dials
  const chunks: Buffer[] = []
  let bytes = 0
  let firstByteAt = 0
  let answered: { status: number; headers: Record<string, string> } | undefined
  let isDone = false

  function finish(error: Error | undefined, isLate = false): void {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    const at = monotonicMs()
    const dialed = connection.dials > dials ? connection.dialed : undefined
    const times = { dns: 0, connect: 0, tls: 0, ...dialed?.times }
    const sentAt = startedAt + times.dns + times.connect + times.tls
    onEnd({
      outcome: answered ? 'ANSWERED' : isLate ? 'TIMEOUT' : outcomeOf(error, dialed),
      status: answered?.status ?? null,
      headers: answered?.headers ?? {},
      answer: textOf(chunks, options.storedBytes),
      address: connection.dialed?.address ?? null,
      durationMs: Math.round(at - startedAt),
      times: {
        ...times,
        firstByte: firstByteAt === 0 ? 0 : Math.max(0, Math.round(firstByteAt - sentAt)),
        rest: firstByteAt === 0 ? 0 : Math.round(at - firstByteAt),
      },
      error: answered ? null : (error?.message ?? '').slice(0, 500) || 'no answer',
    })
  }
  /** Ends a request whose connection is unusable. */
  function cut(error: Error, isLate: boolean): void {
    finish(error, isLate)
    void connection.client.destroy(error).catch(() => {})
  }
  const remainingMs = options.timeoutMs - (monotonicMs() - startedAt)
  const timer = setTimeout(
    () => cut(new Error(`No response within ${options.timeoutMs} ms`), true),
    remainingMs,
  )

  connection.interim?.awaitResponse()
  connection.client.dispatch({ ...request, method: 'POST' }, {
    onRequestStart: () => {},
    onResponseStart(_controller, status, headers) {
      firstByteAt = monotonicMs()
      answered = { status, headers: selectHeaders(headers) }
    },
    onResponseData(_controller, chunk) {
      if (bytes < options.storedBytes) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > options.readBytes) cut(new Error('The response is too long'), false)
    },
    onResponseEnd() {
      connection.uses++
      finish(undefined)
    },
    onResponseError: (_controller, error) => finish(error),
  } satisfies Dispatcher.DispatchHandler)
}

function outcomeOf(error: Error | undefined, dialed: Dialed | undefined): PostOutcome {
  if (error instanceof BlockedAddress) return 'BLOCKED_ADDRESS'
  if (error instanceof NameUnknown) return 'DNS'
  switch (dialed?.failedAt) {
    case 'dns':
      return 'DNS'
    case 'connect':
      return 'CONNECT'
    case 'tls':
      return 'TLS'
    default:
      return 'RESET'
  }
}

/** The headers that tell something about the receiver. */
function selectHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const selected: Record<string, string> = {}
  for (const name of storedHeaders) {
    const value = headers[name]
    if (value !== undefined) selected[name] = String(value).slice(0, headerLength).replaceAll('\0', '')
  }
  return selected
}

/** Text that PostgreSQL accepts. */
function textOf(chunks: readonly Buffer[], bytes: number): string {
  if (chunks.length === 0) return ''
  return Buffer.concat(chunks).subarray(0, bytes).toString('utf8').replaceAll('\0', '')
}
