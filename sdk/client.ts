import { type AuthKind, pathAt, type Route } from '#contract/route.ts'

/**
 * Returns the current session token. `isRefused`: the server rejected the last one, so a new one is needed.
 */
export type TokenSource = (isRefused: boolean) => Promise<string>

/** The credential of a client. */
export type Credentials = { token?: string | TokenSource; apiKey?: string; headers?: Record<string, string> }

export type ClientOptions = {
  /**
   * How often `call` retries a temporary failure; 2 by default. A refusal with `Retry-After` is always
   * retried. No response, 502, 503 and 504 are retried only where a repetition is safe: reads, PUT, and POST
   * with an `Idempotency-Key`, which the client sets where the server accepts one.
   */
  retries?: number
}

/** The input of an operation; parts without fields may be left out. `form` is a multipart/form-data body. */
export type CallInput<In> = Partial<In> & {
  form?: FormData
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The whole response: status, headers, and the reply or the error body; the bytes if it is not JSON. */
export type Answer<Out> = {
  status: number
  headers: Headers
  body: Out
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A response other than the expected reply. */
export class CallError extends Error {
  readonly status: number
  readonly body: { errorCode?: string; message?: string; details?: unknown[] } & Record<string, unknown>
  constructor(answer: Answer<unknown>) {
    const body = (answer.body ?? {}) as CallError['body']
    super(`${answer.status} ${body.errorCode ?? ''} ${body.message ?? ''}`.replace(/\s+/g, ' ').trim())
    this.status = answer.status
    this.body = body
  }
}

/** A client of one server with one credential. */
export type Client = {
  /** The URL of the server, without a path. */
  readonly origin: string
  /** Returns the reply, or throws a CallError. Retries temporary failures, see `ClientOptions`. */
  call<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Out>
  /** Returns the whole response, whatever its status. Only retries a call whose session token had expired. */
  send<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Answer<Out>>
}

/** The URL of the server, ready to append paths. */
export function originOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '')
}

/** Opens a client. `baseUrl` is the URL of the server, without a path. */
export function connect(
  baseUrl: string,
  credentials: Credentials = {},
  { retries = 2 }: ClientOptions = {},
): Client {
  const origin = originOf(baseUrl)
  const { token, apiKey } = credentials

  async function send<In, Out>(route: Route<In, Out>, input: CallInput<In> = {}): Promise<Answer<Out>> {
    if (typeof token !== 'function') return request(route, input, token)
    const answer = await request(route, input, await token(false))
    return answer.status === 401 ? request(route, input, await token(true)) : answer
  }

  async function request<In, Out>(
    route: Route<In, Out>,
    input: CallInput<In>,
    sessionToken: string | undefined,
  ): Promise<Answer<Out>> {
    const { params = {}, query = {}, body, form, headers, signal } = input as CallInput<Parts>
    const path = pathAt(authOf(route), route).replace(/:(\w+)/g, (_, name: string) =>
      segment(name, params[name]),
    )
    const response = await fetch(`${origin}${path}${search(query)}`, {
      method: route.method,
      redirect: 'manual',
      signal: signal ?? AbortSignal.timeout(60_000),
      headers: {
        ...(sessionToken && { Authorization: `Bearer ${sessionToken}` }),
        ...(apiKey && { 'X-Api-Key': apiKey }),
        ...credentials.headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form && { body: form }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : undefined,
      text,
      bytes,
    } as Answer<Out>
  }

  function authOf({ auth }: Pick<Route, 'auth'>): AuthKind {
    if (apiKey) return 'apiKey'
    return (Object.keys(auth) as AuthKind[]).find(name => name !== 'apiKey') ?? 'apiKey'
  }

  /** The headers of a call that may be retried: with an Idempotency-Key where the server stores replies. */
  function withKey(route: Route, { headers, body, form }: CallInput<Parts>): Record<string, string> {
    const takesKey = route.method === 'POST' && (authOf(route) === 'apiKey' || route.isIdempotent)
    const hasKey = hasHeader(headers, 'idempotency-key') || hasOwnKey(body)
    if (!takesKey || hasKey || form || retries === 0) return { ...headers }
    return { ...headers, 'Idempotency-Key': crypto.randomUUID() }
  }

  return {
    origin,
    send,
    async call<In, Out>(route: Route<In, Out>, input: CallInput<In> = {}): Promise<Out> {
      const headers = withKey(route, input as CallInput<Parts>)
      const isRepeatable =
        ['GET', 'PUT'].includes(route.method) ||
        hasHeader(headers, 'idempotency-key') ||
        hasOwnKey((input as CallInput<Parts>).body)
      for (let attempt = 0; ; attempt++) {
        const isLast = attempt >= retries
        let answer: Answer<Out>
        try {
          answer = await send(route, { ...input, headers })
        } catch (error) {
          if (isLast || !isRepeatable || input.signal?.aborted) throw error
          await pause(pauseMsOf(attempt), input.signal)
          continue
        }
        if (answer.status === route.status || answer.status === route.alternateReply?.status)
          return answer.body
        const pauseMs = isLast ? undefined : pauseAfter(answer, attempt, isRepeatable)
        if (pauseMs === undefined) throw new CallError(answer)
        await pause(pauseMs, input.signal)
      }
    },
  }
}

const firstPauseMs = 250
/** A server that requests a longer pause is not retried. */
const longestPauseMs = 30_000

/** The pause before a retry; undefined if a retry would not help, or could repeat an effect. */
function pauseAfter(
  { status, headers }: Answer<unknown>,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  const retryAfterMs = Number(headers.get('retry-after') ?? Number.NaN) * 1000
  if (retryAfterMs > longestPauseMs) return undefined
  // a temporary refusal has had no effect
  if (status === 429) return retryAfterMs >= 0 ? retryAfterMs : pauseMsOf(attempt)
  if (!isRepeatable || ![502, 503, 504].includes(status)) return undefined
  return Math.max(retryAfterMs || 0, pauseMsOf(attempt))
}

/** Doubles each time, with a random part, so that clients do not retry together. */
function pauseMsOf(attempt: number): number {
  return firstPauseMs * 2 ** attempt * (0.5 + Math.random())
}

/** Waits; ends early with the signal's reason if the caller aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    function giveUp(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

function hasHeader(headers: Record<string, string> | undefined, name: string): boolean {
  return Object.keys(headers ?? {}).some(key => key.toLowerCase() === name)
}

/** Uses the body's own key field, if it has one. */
function hasOwnKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'idempotencyKey' in body
}

type Parts = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

/**
 * One segment of a path. Empty ones, `.` and `..` are refused, because they would lead to another operation.
 */
function segment(name: string, value: unknown): string {
  const text = String(value)
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`params.${name} must not be '${text}'`)
  return encodeURIComponent(text)
}

function search(query: Record<string, unknown>): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) parts.append(name, String(item))
  }
  const text = parts.toString()
  return text && `?${text}`
}
