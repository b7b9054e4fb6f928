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
 * False if a browser calls from an origin that the application does not allow. For an allowed origin, the
 * reply, including errors, lets the page read it. A request without Origin does not come from a browser. Our
 * own pages, such as the reference, are not another origin, so that people can try a key there.
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
 * True if a browser sends this from another site. Such a page may neither submit our forms nor use our
 * cookies. Our sites are PUBLIC_URL and the requested host, which no page can choose. Programs send none of
 * these headers, and browsers never add a bearer token by themselves.
 */
export function isCrossSitePost({ headers, host }: FastifyRequest, ownOrigin: string): boolean {
  const { origin, authorization, 'sec-fetch-site': site } = headers
  if (authorization !== undefined && /^bearer /i.test(authorization)) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || origin === ownOrigin) return false
  // a page that hides its origin is only told from a foreign one by the other header
  if (origin === 'null') return site === undefined
  return !URL.canParse(origin) || new URL(origin).host !== host
}

/**
 * Answers CORS preflights. A preflight does not carry the key, so every page may send one; `isAllowedOrigin`
 * checks the request itself.
 */
export function answerPreflights(app: FastifyInstance): void {
  app.options(`${pathPrefix.apiKey}/*`, (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers
    if (origin === undefined || method === undefined) return reply.callNotFound()
    return reply.headers(preflight).code(204).send()
  })
}
