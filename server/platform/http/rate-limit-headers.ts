import type { FastifyReply } from 'fastify'
import { Refusal, type RefusalExtra } from '../fail.ts'

/**
 * The rest of one rate limit of a caller after this call. `policy` is the item of the header
 * RateLimit-Policy. The full amount is available after `resetSeconds`; if nothing is left, one call is
 * possible then.
 */
export type RateLimitState = {
  readonly name: string
  readonly policy: string
  readonly remaining: number
  readonly resetSeconds: number
}

/** The item of RateLimit-Policy: at most `times` in `windowSeconds`. */
export function rateLimitPolicy(name: string, times: number, windowSeconds: number): string {
  return `"${name}";q=${times};w=${windowSeconds}`
}

/** A call beyond a rate limit. The headers of the reply name the limit. */
export class RateLimitExceeded extends Refusal {
  readonly quota: RateLimitState
  constructor(name: string, times: number, windowSeconds: number, retryAfterSeconds: number, more?: object) {
    const extra: RefusalExtra = { retryAfterSeconds, limit: times, windowSeconds, ...more }
    super('RATE_LIMIT_EXCEEDED', extra)
    this.quota = {
      name,
      policy: rateLimitPolicy(name, times, windowSeconds),
      remaining: 0,
      resetSeconds: retryAfterSeconds,
    }
  }
}

/** Sets the rate limit headers of a reply. A reply can report several limits, each once. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  { name, policy, remaining, resetSeconds }: RateLimitState,
): void {
  const item = `"${name}";r=${remaining};t=${resetSeconds}`
  reply.header('ratelimit-policy', joined(reply.getHeader('ratelimit-policy'), name, policy))
  reply.header('ratelimit', joined(reply.getHeader('ratelimit'), name, item))
}

function joined(header: unknown, name: string, item: string): string {
  if (typeof header !== 'string') return item
  const others = header.split(', ').filter(other => !other.startsWith(`"${name}";`))
  return [...others, item].join(', ')
}
