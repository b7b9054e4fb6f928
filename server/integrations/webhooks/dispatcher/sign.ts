import { createHmac, type KeyObject } from 'node:crypto'

/** A secret that signs: the current one, and beside it the one that will be. */
export type Signer = { id: string; secret: string | KeyObject }
export type Signers = { current: Signer; next: Signer | undefined }

const userAgent = 'Patio-Webhooks/1'

/** `sha256=` and the HMAC-SHA-256 over `<milliseconds>.<raw body>` in hex (Document 2, Authentication 5). */
export function signature(secret: string | KeyObject, timestampMs: number, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestampMs}.`).update(body).digest('hex')}`
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
    signature(current.secret, timestampMs, body),
    `${prefix}Timestamp`,
    String(timestampMs),
    `${prefix}Event`,
    event,
    `${prefix}Delivery-Id`,
    deliveryId,
    `${prefix}Schema-Version`,
    schemaVersion,
  ]
  if (next) headers.push(`${prefix}Signature-Next`, signature(next.secret, timestampMs, body))
  return headers
}
