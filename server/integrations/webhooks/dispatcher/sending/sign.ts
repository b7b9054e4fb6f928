import { hash } from 'node:crypto'

/** A secret prepared for HMAC (RFC 2104): the padded inner and outer key blocks. */
export type SigningKey = { inner: Buffer; outer: Buffer }
/** A secret that signs deliveries: the current one or the prepared one. */
export type DeliverySigner = {
  id: string
  key: SigningKey
  /** Set if the endpoint uses the headers of Standard Webhooks. */
  standardKey: SigningKey | undefined
}
export type DeliverySigners = { current: DeliverySigner; next: DeliverySigner | undefined }

const userAgent = 'Patio-Webhooks/1'

const blockBytes = 64
const hashBytes = 32

export function signingKey(secret: string): SigningKey {
  return keyOf(Buffer.from(secret))
}

/** The key of Standard Webhooks: the secret decoded from base64. */
export function standardSigningKey(secret: string): SigningKey {
  return keyOf(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
}

function keyOf(bytes: Buffer): SigningKey {
  const block = Buffer.alloc(blockBytes)
  ;(bytes.length > blockBytes ? hash('sha256', bytes, 'buffer') : bytes).copy(block)
  // each signature writes its inner hash behind the block
  const outer = Buffer.alloc(blockBytes + hashBytes)
  for (const [at, byte] of block.entries()) outer[at] = byte ^ 0x5c
  return { inner: Buffer.from(block.map(byte => byte ^ 0x36)), outer }
}

/**
 * `sha256=` and the HMAC-SHA-256 of `<milliseconds>.<raw body>` in hex (DLV-2). Two hashes of whole buffers, because
 * `createHmac` costs twice as much as hashing a delivery.
 */
export function signature(key: SigningKey, timestampMs: number, body: Buffer): string {
  return `sha256=${hmac(key, `${timestampMs}.`, body, 'hex')}`
}

/** `v1,` and the HMAC-SHA-256 of `<id>.<seconds>.<raw body>` in base64, as in Standard Webhooks. */
export function standardSignature(key: SigningKey, id: string, seconds: number, body: Buffer): string {
  return `v1,${hmac(key, `${id}.${seconds}.`, body, 'base64')}`
}

function hmac({ inner, outer }: SigningKey, head: string, body: Buffer, form: 'hex' | 'base64'): string {
  const bodyAt = blockBytes + head.length
  const signed = Buffer.allocUnsafe(bodyAt + body.length)
  inner.copy(signed)
  signed.write(head, blockBytes, 'latin1')
  body.copy(signed, bodyAt)
  outer.write(hash('sha256', signed, 'binary'), blockBytes, 'binary')
  return hash('sha256', outer, form)
}

/** The headers of one attempt (DLV-2), as alternating names and values. */
export function headersOf(
  { deliveryId, event, schemaVersion }: { deliveryId: string; event: string; schemaVersion: string },
  { current, next }: DeliverySigners,
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
  if (current.standardKey) {
    const seconds = Math.floor(timestampMs / 1000)
    // a receiver accepts any signature whose secret it has
    const keys = [current.standardKey, next?.standardKey].filter(key => key !== undefined)
    const signatures = keys.map(key => standardSignature(key, deliveryId, seconds, body)).join(' ')
    headers.push(
      'webhook-id',
      deliveryId,
      'webhook-timestamp',
      String(seconds),
      'webhook-signature',
      signatures,
    )
  }
  return headers
}
