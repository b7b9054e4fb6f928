import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { required } from '#platform/required.ts'

/** The canonical JSON of a plain object (RFC 8785). */
export function canonical(value: object): string {
  return required(canonicalize(value), 'the canonical form of an object')
}

/** SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
