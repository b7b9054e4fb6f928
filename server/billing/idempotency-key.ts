import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'

/** An idempotency key and the fingerprint of the request that uses it. */
export type IdempotencyKey = { text: string; fingerprint: string }

/** `call` is everything that makes two requests the same request. */
export function idempotencyKeyOf(text: string | undefined, call: object): IdempotencyKey | undefined {
  if (text === undefined) return undefined
  return {
    text,
    fingerprint: createHash('sha256')
      .update(required(canonicalize(call), 'the canonical form of a request'))
      .digest('hex'),
  }
}

/**
 * Marks the transaction as the replay of an earlier request with the same key. Refuses IDEMPOTENCY_KEY_REUSED if that was another
 * request.
 */
export function replay(tx: Tx, earlier: { fingerprint: string | null }, fingerprint: string): void {
  if (earlier.fingerprint !== fingerprint) fail('IDEMPOTENCY_KEY_REUSED')
  tx.pending.isReplay = true
}

/** The condition for the row of a live key: `$applicationId` is empty for members. */
export function hasLiveKey(row: string): string {
  return `${row}.organization_id = $organization and coalesce(${row}.application_id, '') = $applicationId and ${row}.idempotency_key = $key
     and ${row}.is_key_live`
}

/** The condition for a row whose key may be used again: it has ended and is older than a day. */
export function isKeyExpired(row: string): string {
  return `${row}.ended_at is not null and ${row}.created_at <= now() - interval '${limits.idempotencyHours} hours'`
}
