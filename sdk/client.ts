import { type Door, pathAt, type Route } from '#contract/route.ts'

/** How a client proves who it is. */
export type Credentials = { token?: string; apiKey?: string; headers?: Record<string, string> }

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
  /** The reply, or a CallError. */
  call<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Out>
  /** The whole answer, whatever its status. */
  send<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Answer<Out>>
}

/** The address of a server as paths are put behind it. */
export function originOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '')
}

/** Opens a client. `baseUrl` is the address of the server without a path. */
export function connect(baseUrl: string, credentials: Credentials = {}): Client {
  const origin = originOf(baseUrl)

  async function send<In, Out>(route: Route<In, Out>, input: CallInput<In> = {}): Promise<Answer<Out>> {
    const { params = {}, query = {}, body, form, headers, signal } = input as CallInput<Parts>
    const doors = Object.keys(route.doors) as Door[]
    const door: Door = credentials.apiKey
      ? 'application'
      : (doors.find(name => name !== 'application') ?? 'application')
    const path = pathAt(door, route).replace(/:(\w+)/g, (_, name: string) => segment(name, params[name]))
    const response = await fetch(`${origin}${path}${search(query)}`, {
      method: route.method,
      redirect: 'manual',
      signal: signal ?? AbortSignal.timeout(60_000),
      headers: {
        ...(credentials.token && { Authorization: `Bearer ${credentials.token}` }),
        ...(credentials.apiKey && { 'X-Api-Key': credentials.apiKey }),
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

  return {
    send,
    async call(route, input) {
      const answer = await send(route, input)
      const { status, alsoReplies } = route
      if (answer.status !== status && answer.status !== alsoReplies?.status) throw new CallError(answer)
      return answer.body
    },
  }
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
