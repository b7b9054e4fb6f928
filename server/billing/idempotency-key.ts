import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** An idempotency key and the fingerprint of the request that uses it. */
export type IdempotencyKey = { text: string; fingerprint: string }

/** `call` is everything that makes two requests the same request. */
export function idempotencyKeyOf(text: string | undefined, call: object): IdempotencyKey | undefined {
  if (text === undefined) return undefined
  return { text, fingerprint: createHash('sha256').update(canonicalize(call)!).digest('hex') }
}
