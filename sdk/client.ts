import { type AuthKind, pathAt, type Route } from '#contract/route.ts'

/**
 * Gives the session token of the moment. `isRefused`: the server did not take the last one, so that a new one is needed.
 */
export type TokenSource = (isRefused: boolean) => Promise<string>

/** How a client proves who it is. */
export type Credentials = { token?: string | TokenSource; apiKey?: string; headers?: Record<string, string> }

export type ClientOptions = {
  /**
   * How often `call` repeats what failed for a moment: 2 unless told. A refusal with `Retry-After` is always repeated;
   * what was not answered, or with 502, 503 or 504, only where a repetition cannot do the same thing twice: reading, PUT,
   * and POST with an `Idempotency-Key`, which the client sets by itself where the server takes one.
   */
  retries?: number
}

/** What an operation is given; absent parts may be left out. `form` is the body of one that takes multipart/form-data. */
export type CallInput<In> = Partial<In> & {
  form?: FormData
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A whole answer: status, headers, and the reply or the error body; of one that is not JSON, its bytes. */
export type Answer<Out> = {
  status: number
  headers: Headers
  body: Out
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

/** An answer that is not the promised one. */
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
  /** The address of the server, without a path. */
  readonly origin: string
  /** The reply, or a CallError. What failed for a moment is repeated, see `ClientOptions`. */
  call<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Out>
  /** The whole answer, whatever its status. Nothing is repeated but a call whose session token had ended. */
  send<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Answer<Out>>
}

/** The address of a server as paths are put behind it. */
export function originOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '')
}

/** Opens a client. `baseUrl` is the address of the server without a path. */
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

  /** Headers of a call that may be repeated: with a key of its own where the server remembers answers by one. */
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
/** A server that asks for a longer pause is not waited for. */
const longestPauseMs = 30_000

/** How long to wait before the same is asked again; undefined when that would not help, or could do it twice. */
function pauseAfter(
  { status, headers }: Answer<unknown>,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  const asked = Number(headers.get('retry-after') ?? Number.NaN) * 1000
  if (asked > longestPauseMs) return undefined
  // a refusal for the time being has done nothing
  if (status === 429) return asked >= 0 ? asked : pauseMsOf(attempt)
  if (!isRepeatable || ![502, 503, 504].includes(status)) return undefined
  return Math.max(asked || 0, pauseMsOf(attempt))
}

/** Twice as long each time, and never the same for all who wait. */
function pauseMsOf(attempt: number): number {
  return firstPauseMs * 2 ** attempt * (0.5 + Math.random())
}

/** Waits; ends early, with the signal's reason, when the caller gives up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    function giveUp(): void {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

function hasHeader(headers: Record<string, string> | undefined, name: string): boolean {
  return Object.keys(headers ?? {}).some(key => key.toLowerCase() === name)
}

/** Where a body has a field for it, that is the key. */
function hasOwnKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'idempotencyKey' in body
}

type Parts = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

/** One step of a path. Nothing, `.` and `..` are none: they would lead to another operation. */
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
