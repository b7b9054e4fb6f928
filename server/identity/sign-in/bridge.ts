import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '#platform/http/caller.ts'
import { refuseAs, send } from './refusals.ts'
import { readCookie } from './session.ts'
import type { Body, SignInService } from './sign-in.ts'

/** Passes the client's address to better-auth; clients cannot set this header. */
export const addressHeader = 'x-patio-client-address'

// only these headers reach better-auth; Fastify handles forwarded ones (trustProxy, request.ip)
const forwardedHeaders = ['cookie', 'origin', 'referer', 'content-type'] as const
// browsers send all three; a lone sec-fetch-mode comes from Node's fetch, which has no origin to check
const fetchMetadataHeaders = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'] as const

/** The request for better-auth. Its URL is built from publicUrl, because the Host header is not trusted. */
export function toWebRequest(
  signIn: SignInService,
  request: FastifyRequest,
  credential: string | undefined,
): Request {
  const headers = new Headers({ [addressHeader]: originOf(request).ip })
  const isFromBrowser = request.headers['sec-fetch-site'] !== undefined
  for (const name of isFromBrowser ? [...forwardedHeaders, ...fetchMetadataHeaders] : forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, 512))
  const { cookie } = request.headers
  if (credential && credential !== readCookie(cookie, signIn.sessionCookie)) {
    // a bearer token replaces the cookie; browsers never send one by themselves, so it needs no origin check
    const otherCookies = (cookie ?? '')
      .split(';')
      .filter(pair => pair.split('=', 1)[0]?.trim() !== signIn.sessionCookie)
    headers.set(
      'cookie',
      [...otherCookies, `${signIn.sessionCookie}=${encodeURIComponent(credential)}`].join(';'),
    )
    headers.set('origin', signIn.publicUrl)
  }
  const body = (request.body as Body | undefined)?.text
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return new Request(new URL(request.url, signIn.publicUrl), { method, headers, body })
}

/**
 * better-auth's response in Patio's form: cookies, redirects, JSON without secrets, and one kind of error.
 */
export async function toReply(
  signIn: SignInService,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Response,
): Promise<FastifyReply> {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  const location = answer.headers.get('location')
  if (location && answer.status >= 300 && answer.status < 400) {
    return reply.code(answer.status).header('cache-control', 'no-store').header('location', location).send()
  }
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  const body: unknown = text && isJson ? JSON.parse(text) : null
  if (!answer.ok) return refuseAs(signIn, request, reply, answer.status, body)
  const token = isPage(request) ? undefined : newCredential(cookies, signIn.sessionCookie)
  if (token) reply.header('set-auth-token', token)
  return send(reply, answer.status, withoutSecrets(body, token))
}

// a page's script never needs the token: repeating it in the body would defeat HttpOnly
function isPage(request: FastifyRequest): boolean {
  return request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined
}

function newCredential(cookies: string[], name: string): string | undefined {
  for (const cookie of cookies) {
    const value = readCookie(cookie.split(';', 1)[0], name)
    if (value) return value
  }
  return undefined
}

// `token` becomes the signed one: the token in the database is not enough to call
function withoutSecrets(body: unknown, token: string | undefined): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { token: _bare, session, user, ...rest } = body as Record<string, unknown>
  return {
    ...rest,
    ...(token && { token }),
    ...(isObject(session) && { session: without(session, 'token') }),
    ...(isObject(user) && { user: without(user, 'lockedAt') }),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
function without({ ...fields }: Record<string, unknown>, name: string): Record<string, unknown> {
  delete fields[name]
  return fields
}
