import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { pathPrefix } from '#contract/operation.ts'
import type { Caller } from './caller.ts'

const exposed = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, ETag'
const preflight = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Content-Type, X-Api-Key, X-Request-Id, Idempotency-Key',
  'Access-Control-Max-Age': String(limits.preflightSeconds),
}

/**
 * True unless a browser asks from where the application may not be used. To one that may the answer says, also when it
 * is a refusal, that the page may read it. Whoever sends no Origin is no browser. Our own pages, such as the reference,
 * are not another origin: a person who has a key may try it there.
 */
export function isAllowedOrigin(
  { origins }: Caller,
  ownOrigin: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  reply.header('Vary', 'Origin')
  if (origin === ownOrigin) return true
  if (!origins?.has(origin)) return false
  reply.header('Access-Control-Allow-Origin', origin)
  reply.header('Access-Control-Expose-Headers', exposed)
  return true
}

/**
 * True when the browser of a visitor sends this for a page that is not ours. Such a page may neither fill in our forms nor
 * use what the browser keeps for us. Our pages are those of PUBLIC_URL and of the host that was asked, which no page can
 * choose. Programs send none of these headers; a bearer token is nothing that a browser adds by itself.
 */
export function isCrossSitePost({ headers, host }: FastifyRequest, ownOrigin: string): boolean {
  const { origin, authorization, 'sec-fetch-site': site } = headers
  if (authorization !== undefined && /^bearer /i.test(authorization)) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || origin === ownOrigin) return false
  // a page that keeps its address to itself says no more; only the other header tells it from a foreign one
  if (origin === 'null') return site === undefined
  return !URL.canParse(origin) || new URL(origin).host !== host
}

/**
 * Answers what browsers ask before they send a key: which one it will be is not told yet, so every page may ask, and
 * the request itself is looked at by isFromWelcome.
 */
export function answerPreflights(app: FastifyInstance): void {
  app.options(`${pathPrefix.apiKey}/*`, (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers
    if (origin === undefined || method === undefined) return reply.callNotFound()
    return reply.headers(preflight).code(204).send()
  })
}
