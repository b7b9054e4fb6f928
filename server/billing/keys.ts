import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** The key of a call and what it stands for: two calls with the same one are the same call. */
export type Key = { text: string; fingerprint: string }

/** The key that a call has, if it has one; `call` is all that is asked for. */
export function keyOf(text: string | undefined, call: object): Key | undefined {
  if (text === undefined) return undefined
  return { text, fingerprint: createHash('sha256').update(canonicalize(call)!).digest('hex') }
}
