import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { ErrorBody } from '#contract/error-body.ts'
import type { OperationCase } from './operations.ts'

/** The input of an operation. */
export type Call = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormPart[]
  /** A raw body with its headers. */
  bytes?: { body: string; headers: Record<string, string> }
}
/** A part of a form: a text, or with `filename` a file. */
export type FormPart = { name: string; value: string | Uint8Array; filename?: string }
/** The credential of a caller. */
export type Credential = {
  headers?: Record<string, string>
  query?: Record<string, string>
  params?: Record<string, string>
}
/** A raw HTTP request. */
export type RawRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}
export type RawReply = { status: number; headers: Headers; text: string }

/** How long a stream is read. */
const listenMs = 60

/** Builds the request of a call. */
export function rawRequest(
  { route, contract }: OperationCase,
  call: Call,
  credential: Credential = {},
): RawRequest {
  const [method, path] = route.split(' ') as [string, string]
  const whole = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(asText({ ...call.params, ...credential.params }[name] ?? '').toWellFormed()),
  )
  const hasBody = call.body !== undefined
  const form = contract.requestType && call.form && encodeForm(call.form)
  return {
    method,
    path: `${whole}${search({ ...call.query, ...credential.query })}`,
    headers: {
      ...credential.headers,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': `multipart/form-data; boundary=${boundary}` }),
      ...call.bytes?.headers,
    },
    ...(hasBody && { body: JSON.stringify(call.body) }),
    ...(form && { body: form }),
    ...(call.bytes && { body: call.bytes.body }),
  }
}

export const boundary = 'between-the-parts'

/** A form byte for byte, also in ways that no client would send. */
function encodeForm(parts: readonly FormPart[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ name = '', value = '', filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value as string), Buffer.from('\r\n')]
  })
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]))
}

function search(query: Record<string, unknown>): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== undefined) parts.append(name, asText(item))
  }
  const text = parts.toString()
  return text && `?${text}`
}

/** A value in a URL. */
export function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Sends a request at a third of the cost of fetch, because the invariants send tens of thousands. Reads only
 * the beginning of a stream.
 */
export async function sendRaw(url: string, { path, ...rest }: RawRequest): Promise<RawReply> {
  const { statusCode: status, headers: lines, body } = await request(`${url}${path}`, rest)
  const headers = new Headers(
    Object.entries(lines).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    ),
  )
  if (!headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status, headers, text: await body.text() }
  }
  let text = ''
  body.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  // ending the body early is an error that does not matter
  body.on('error', () => {})
  await sleep(listenMs)
  body.destroy()
  return { status, headers, text }
}

/** The problem in the form of an error reply; undefined if there is none. */
export function malformed({ status, headers, text }: RawReply): string | undefined {
  if (!headers.get('content-type')?.startsWith('application/json'))
    return `the content type is ${headers.get('content-type')}`
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text)
  } catch {
    return 'the body is not JSON'
  }
  const { statusCode, error, message, errorCode, details, ...rest } = body
  if (statusCode !== status) return `statusCode is ${statusCode}`
  if (typeof error !== 'string' || typeof message !== 'string' || message === '')
    return 'error and message are not texts'
  if (errorCode !== undefined && !/^[A-Z][A-Z_]+$/.test(String(errorCode))) return `errorCode is ${errorCode}`
  if (details !== undefined && !isDetails(details)) return 'details are not a list of { path, code, message }'
  const strange = Object.keys(rest).filter(key => !extraFields.has(key))
  return strange.length > 0 ? `it has the fields ${strange.join(', ')}` : undefined
}

const extraFields = new Set(Object.keys(ErrorBody.properties))

function isDetails(details: unknown): boolean {
  if (!Array.isArray(details)) return false
  return details.every(
    detail =>
      Object.keys(detail).sort().join() === 'code,message,path' &&
      Object.values(detail).every(text => typeof text === 'string'),
  )
}

/** The code of an error reply, or its status if it has none. */
export function codeOf({ status, text }: RawReply): string {
  try {
    return (JSON.parse(text) as { errorCode?: string }).errorCode ?? String(status)
  } catch {
    return String(status)
  }
}
