import type { CallRateLimit } from '#contract/operation.ts'
import { monotonicMs } from '../clock.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from './rate-limit-headers.ts'

/**
 * Counts the calls of each caller in one process, with a token bucket that holds a minute's amount and
 * refills evenly.
 */
export type CallRateLimiter = {
  /**
   * Counts one call and returns what is left, or throws RateLimitExceeded. Undefined if rate limits are off.
   */
  take(caller: string, limit: CallRateLimit): RateLimitState | undefined
}

type Bucket = { tokens: number; atMs: number }
type BucketSize = { size: number; perMs: number; policy: string }

/** `factor` multiplies all rate limits; 0 turns them off. */
export function openCallRateLimiter(factor: number): CallRateLimiter {
  const buckets = new Map<string, Bucket>()
  // every reply carries the text of a policy, and there are few policies
  const bucketSizes = new Map<CallRateLimit, BucketSize>()

  function bucketSizeOf(limit: CallRateLimit): BucketSize {
    const known = bucketSizes.get(limit)
    if (known) return known
    const size = Math.max(1, Math.round(limit.perMinute * factor))
    const bucketSize = { size, perMs: size / 60_000, policy: rateLimitPolicy(limit.name, size, 60) }
    bucketSizes.set(limit, bucketSize)
    return bucketSize
  }

  function bucketOf(caller: string, { size, perMs }: BucketSize): Bucket {
    const atMs = monotonicMs()
    const known = buckets.get(caller)
    if (known) {
      known.tokens = Math.min(size, known.tokens + (atMs - known.atMs) * perMs)
      known.atMs = atMs
      return known
    }
    // a full bucket and an absent one are equivalent, so clearing the map is acceptable
    if (buckets.size >= 100_000) buckets.clear()
    const bucket = { tokens: size, atMs }
    buckets.set(caller, bucket)
    return bucket
  }

  return {
    take(caller, limit) {
      if (factor === 0) return undefined
      const bucketSize = bucketSizeOf(limit)
      const { size, perMs, policy } = bucketSize
      const bucket = bucketOf(caller, bucketSize)
      if (bucket.tokens < 1) {
        const waitSeconds = Math.ceil((1 - bucket.tokens) / perMs / 1000)
        throw new RateLimitExceeded(limit.name, size, 60, Math.max(1, waitSeconds))
      }
      bucket.tokens -= 1
      return {
        name: limit.name,
        policy,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.max(1, Math.ceil((size - bucket.tokens) / perMs / 1000)),
      }
    },
  }
}
