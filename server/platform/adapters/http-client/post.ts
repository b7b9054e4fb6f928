import { Client, type Dispatcher } from 'undici'
import { monotonicMs } from '../../clock.ts'
import { BlockedAddress, openAddressRule } from './addresses.ts'
import { type Dialed, type DialOptions, type DialTimes, openDialer } from './dial.ts'
import { type InterimFilter, skipInterim } from './interim.ts'
import { NameUnknown, openNames, openResolve, type Resolve } from './names.ts'

/** How one post ended. ANSWERED: with a status, whatever it is; all others: without one. */
export type PostOutcome = 'ANSWERED' | 'TIMEOUT' | 'CONNECT' | 'DNS' | 'TLS' | 'RESET' | 'BLOCKED_ADDRESS'
export type Posted = {
  outcome: PostOutcome
  status: number | null
  headers: Record<string, string>
  /** The beginning of the answer. */
  answer: string
  /** The address that was dialled. */
  address: string | null
  durationMs: number
  /** Milliseconds; those of the connection are 0 when it was there already. */
  times: DialTimes & { firstByte: number; rest: number }
  error: string | null
}

/** The way to one origin: connections that are kept, each with one request at a time. */
export type RequestOptions = {
  post(path: string, headers: string[], body: Buffer): Promise<Posted>
  close(): void
}
export type Web = { open(origin: string): RequestOptions; names: ReturnType<typeof openNames> }

export type WebOptions = {
  /** Networks that may be reached although they are not public. */
  networks?: readonly string[]
  resolve?: Resolve
  ca?: string | undefined
  connectMs: number
  timeoutMs: number
  /** How much of an answer is read before the connection is closed, and how much of it is kept. */
  readBytes: number
  keptBytes: number
}

type Line = {
  client: Client
  bornAt: number
  dials: number
  dialed: Dialed | undefined
  uses: number
  interim: InterimFilter | undefined
}
type Inside = WebOptions & { dial: DialOptions }

const keptHeaders = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server']
const headerLength = 256
const keepAliveMs = 60_000
const lineLifeMs = 10 * 60_000
/** A connection that the other side closed while we wrote: the request is sent again, once, within this time. */
const resendMs = 1_000

/** Opens the way out for requests to addresses that somebody else chose. */
export function openWeb(options: WebOptions): Web {
  const rule = openAddressRule(options.networks)
  const names = openNames(rule, options.resolve ?? openResolve())
  const dial = { names, timeoutMs: options.connectMs, ca: options.ca }
  return { names, open: origin => openWay(origin, { ...options, dial }) }
}

function openWay(origin: string, inside: Inside): RequestOptions {
  const idle: Line[] = []
  const lines = new Set<Line>()
  let isClosed = false

  function takeLine(): Line {
    for (let line = idle.pop(); line; line = idle.pop()) {
      if (monotonicMs() - line.bornAt < lineLifeMs) return line
      drop(line)
    }
    const line = openLine(origin, inside.dial)
    lines.add(line)
    return line
  }
  function giveBack(line: Line): void {
    if (isClosed || line.client.destroyed) drop(line)
    else idle.push(line)
  }
  function drop(line: Line): void {
    lines.delete(line)
    if (!line.client.destroyed) void line.client.destroy().catch(() => {})
  }

  return {
    post(path, headers, body) {
      const { promise, resolve } = Promise.withResolvers<Posted>()
      const startedAt = monotonicMs()
      function attempt(isSecond: boolean): void {
        const line = takeLine()
        const wasUsed = line.uses > 0 && line.dialed !== undefined
        const dials = line.dials
        postOn(line, { path, headers, body }, inside, startedAt, posted => {
          if (posted.outcome === 'ANSWERED') giveBack(line)
          else drop(line)
          const diedIdle = posted.outcome === 'RESET' && wasUsed && line.dials === dials
          if (!diedIdle || isSecond || posted.durationMs > resendMs) return resolve(posted)
          // the others were opened when that one was
          for (const other of idle.splice(0)) drop(other)
          attempt(true)
        })
      }
      attempt(false)
      return promise
    },
    close() {
      isClosed = true
      for (const line of idle.splice(0)) drop(line)
    },
  }
}

function openLine(origin: string, dial: DialOptions): Line {
  const line: Omit<Line, 'client'> & { client?: Client } = {
    bornAt: monotonicMs(),
    dials: 0,
    dialed: undefined,
    uses: 0,
    interim: undefined,
  }
  const connect = openDialer(dial, dialed => {
    line.dialed = dialed
    line.dials++
    line.uses = 0
  })
  line.client = new Client(origin, {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: lineLifeMs,
    // the whole request has one clock, which is exact
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    connect: (to, callback) =>
      connect(to, (...result) => {
        const [, socket] = result
        if (socket) line.interim = skipInterim(socket)
        callback(...result)
      }),
  })
  return line as Line
}

type Sent = { path: string; headers: string[]; body: Buffer }

/** Posts once. A status decides: what follows it is only kept for the record. */
function postOn(
  line: Line,
  sent: Sent,
  inside: Inside,
  startedAt: number,
  ended: (posted: Posted) => void,
): void {
  const dials = line.dials
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
    const dialed = line.dials > dials ? line.dialed : undefined
    const times = { dns: 0, connect: 0, tls: 0, ...dialed?.times }
    const before = startedAt + times.dns + times.connect + times.tls
    ended({
      outcome: answered ? 'ANSWERED' : isLate ? 'TIMEOUT' : outcomeOf(error, dialed),
      status: answered?.status ?? null,
      headers: answered?.headers ?? {},
      answer: textOf(chunks, inside.keptBytes),
      address: line.dialed?.address ?? null,
      durationMs: Math.round(at - startedAt),
      times: {
        ...times,
        firstByte: firstByteAt === 0 ? 0 : Math.max(0, Math.round(firstByteAt - before)),
        rest: firstByteAt === 0 ? 0 : Math.round(at - firstByteAt),
      },
      error: answered ? null : (error?.message ?? '').slice(0, 500) || 'no answer',
    })
  }
  /** Ends a request whose connection cannot be used any more. */
  function cut(error: Error, isLate: boolean): void {
    finish(error, isLate)
    void line.client.destroy(error).catch(() => {})
  }
  const restMs = inside.timeoutMs - (monotonicMs() - startedAt)
  const timer = setTimeout(() => cut(new Error(`No answer within ${inside.timeoutMs} ms`), true), restMs)

  line.interim?.awaitResponse()
  line.client.dispatch({ ...sent, method: 'POST' }, {
    onRequestStart: () => {},
    onResponseStart(_controller, status, headers) {
      firstByteAt = monotonicMs()
      answered = { status, headers: few(headers) }
    },
    onResponseData(_controller, chunk) {
      if (bytes < inside.keptBytes) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > inside.readBytes) cut(new Error('The answer is too long'), false)
    },
    onResponseEnd() {
      line.uses++
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

/** The headers that say something about the receiver. */
function few(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = headers[name]
    if (value !== undefined) kept[name] = String(value).slice(0, headerLength).replaceAll('\0', '')
  }
  return kept
}

/** Text that PostgreSQL takes. */
function textOf(chunks: readonly Buffer[], bytes: number): string {
  if (chunks.length === 0) return ''
  return Buffer.concat(chunks).subarray(0, bytes).toString('utf8').replaceAll('\0', '')
}
