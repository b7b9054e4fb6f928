import { limits } from '#contract/limits.ts'
import type { AuthKind, Operation } from '#contract/operation.ts'
import type { Json } from './components.ts'

const text = { type: 'string' }

/** Every reply header that clients may use. `Omitted` gets the prefix of the server. */
const headers = {
  'X-Request-Id': {
    description: 'The id of this request: that of the client, or a new one',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description: 'The rest of the limit of this call: `"default";r=599;t=1`',
    schema: text,
  },
  'RateLimit-Policy': { description: 'The limit of this call: `"default";q=600;w=60`', schema: text },
  'WWW-Authenticate': { description: 'How this operation is authenticated', schema: text },
  Location: { description: 'Where to go on', schema: { type: 'string', format: 'uri-reference' } },
  ETag: { description: 'The version of this content, for If-None-Match', schema: text },
  'Content-Disposition': { description: 'The name of the file', schema: text },
  'Content-Range': { description: 'The range of these bytes, and the total', schema: text },
  'Accept-Ranges': { description: '`bytes`: the header Range is supported', schema: text },
  Omitted: { description: 'Requested parts that the caller may not read', schema: text },
  'Set-Auth-Token': { description: 'A new sign-in token, for clients that keep no cookies', schema: text },
  'Set-Cookie': { description: 'The sign-in cookie, for browsers', schema: text },
} satisfies Record<string, Json>
export type HeaderName = keyof typeof headers

/** Declares headers by reference, and collects those that are used. */
export type Headers = {
  refer(names: readonly HeaderName[]): Json
  used(): Record<string, Json>
}

export function openHeaders(prefix: string): Headers {
  const used = new Set<HeaderName>()
  return {
    refer(names) {
      const declared = names.map(name => {
        used.add(name)
        const sent = name === 'Omitted' ? `${prefix}${name}` : name
        return [sent, { $ref: `#/components/headers/${name}` }]
      })
      return { headers: Object.fromEntries(declared) }
    },
    used: () => Object.fromEntries([...used].map(name => [name, headers[name]])),
  }
}

/** Headers of requests, as parameters. */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `A repetition with the same key and body gets the first reply again, for ${limits.idempotencyHours} hours`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'A known ETag: the reply is 304 while it is current',
    schema: text,
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: `The last received event: the stream resumes after it, within ${limits.streamReplayHours} hours`,
    schema: { type: 'string', maxLength: limits.id },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes: `bytes=0-1023`',
    schema: text,
  },
} satisfies Record<string, Json>
export type RequestHeader = keyof typeof requestHeaders

/** Whether calls count against a limit, so that replies carry the rate limit headers. */
export function isGoverned(auth: AuthKind, { limit }: Operation): boolean {
  return auth !== 'public' || limit !== undefined
}

/** Whether the reply is a single object with an ETag. A page of a list is not. */
export function hasETag({ method, reply, responseType, query }: Operation): boolean {
  if (method !== 'GET') return false
  if (responseType) return responseType === 'application/octet-stream' || responseType === 'application/zip'
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return reply !== undefined && !('limit' in properties)
}

/** The optional request headers of an operation, apart from the credential. */
export function requestHeadersOf(auth: AuthKind, contract: Operation): RequestHeader[] {
  const { method, isIdempotent, responseType } = contract
  const names: RequestHeader[] = []
  if (method === 'POST' && (auth === 'apiKey' || (auth === 'session' && isIdempotent)))
    names.push('IdempotencyKey')
  if (hasETag(contract)) names.push('IfNoneMatch')
  if (responseType === 'text/event-stream') names.push('LastEventId')
  if (responseType === 'application/octet-stream') names.push('Range')
  return names
}

/** The headers of an operation's success reply. */
export function answerHeadersOf(auth: AuthKind, contract: Operation): HeaderName[] {
  const { responseType, query } = contract
  const names: HeaderName[] = ['X-Request-Id']
  if (isGoverned(auth, contract)) names.push('RateLimit', 'RateLimit-Policy')
  if (hasETag(contract)) names.push('ETag')
  if (responseType && !['text/event-stream', 'text/html', 'redirect'].includes(responseType))
    names.push('Content-Disposition')
  if (responseType === 'application/octet-stream') names.push('Accept-Ranges')
  const { properties = {} } = (query ?? {}) as { properties?: object }
  if ('include' in properties) names.push('Omitted')
  return names
}
