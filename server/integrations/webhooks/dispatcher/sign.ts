import { hash } from 'node:crypto'

/** A secret as it signs: the block of HMAC (RFC 2104) before what is signed, and the one before the hash of that. */
export type SigningKey = { inner: Buffer; outer: Buffer }
/** A secret that signs: the current one, and beside it the one that will be. */
export type Signer = { id: string; key: SigningKey }
export type Signers = { current: Signer; next: Signer | undefined }

const userAgent = 'Patio-Webhooks/1'

const blockBytes = 64
const hashBytes = 32

export function signingKey(secret: string): SigningKey {
  const bytes = Buffer.from(secret)
  const block = Buffer.alloc(blockBytes)
  ;(bytes.length > blockBytes ? hash('sha256', bytes, 'buffer') : bytes).copy(block)
  // the hash is written behind it each time
  const outer = Buffer.alloc(blockBytes + hashBytes)
  for (const [at, byte] of block.entries()) outer[at] = byte ^ 0x5c
  return { inner: Buffer.from(block.map(byte => byte ^ 0x36)), outer }
}

/**
 * `sha256=` and the HMAC-SHA-256 over `<milliseconds>.<raw body>` in hex (Document 2, Authentication 5). Two hashes
 * of whole buffers: an object of `createHmac` costs twice as much as the hashing of a notice.
 */
export function signature({ inner, outer }: SigningKey, timestampMs: number, body: Buffer): string {
  const time = `${timestampMs}.`
  const bodyAt = blockBytes + time.length
  const signed = Buffer.allocUnsafe(bodyAt + body.length)
  inner.copy(signed)
  signed.write(time, blockBytes, 'latin1')
  body.copy(signed, bodyAt)
  outer.write(hash('sha256', signed, 'binary'), blockBytes, 'binary')
  return `sha256=${hash('sha256', outer, 'hex')}`
}

/** The headers of one attempt (Document 2, Delivery headers), as names and values in turn. */
export function headersOf(
  { deliveryId, event, schemaVersion }: { deliveryId: string; event: string; schemaVersion: string },
  { current, next }: Signers,
  timestampMs: number,
  body: Buffer,
  prefix = 'X-Service-',
): string[] {
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    userAgent,
    `${prefix}Signature`,
    signature(current.key, timestampMs, body),
    `${prefix}Timestamp`,
    String(timestampMs),
    `${prefix}Event`,
    event,
    `${prefix}Delivery-Id`,
    deliveryId,
    `${prefix}Schema-Version`,
    schemaVersion,
  ]
  if (next) headers.push(`${prefix}Signature-Next`, signature(next.key, timestampMs, body))
  return headers
}
