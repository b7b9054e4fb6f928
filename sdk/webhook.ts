import { createHmac, timingSafeEqual } from 'node:crypto'

/** Why a delivery cannot be trusted. */
export type WebhookRefusal =
  | 'HEADER_MISSING'
  | 'HEADER_MALFORMED'
  | 'TOO_OLD_OR_NEW'
  | 'SIGNATURE_WRONG'
  | 'BODY_MALFORMED'

/** The delivery was not sent by the server, or not just now. Reply with 401. */
export class WebhookRefused extends Error {
  readonly reason: WebhookRefusal
  constructor(reason: WebhookRefusal) {
    super(`The webhook notice is refused: ${reason}`)
    this.reason = reason
  }
}

/** The verified headers of a delivery. */
export type VerifiedWebhook = {
  /** The same in every attempt: drop a delivery that you have already handled. */
  deliveryId: string
  event: string
  schemaVersion: string
  /** When this attempt was sent, in milliseconds since 1970. */
  timestampMs: number
}

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>
export type VerifyOptions = {
  /** How far the clocks may differ, in seconds; 300 by default (DLV-3). */
  toleranceSeconds?: number
  /** Milliseconds since 1970; the local clock by default. */
  nowMs?: number
  /** The prefix of the header names, if the server's setting differs. */
  headerPrefix?: string
}

/** The default prefix of the server's headers. */
export const usualPrefix = 'X-Service-'

const signatureForm = /^sha256=[0-9a-f]{64}$/
const timestampForm = /^\d{1,15}$/
const standardForm = /^v1,[0-9A-Za-z+/]{43}=$/

/**
 * Verifies that a delivery comes from the server and was sent just now. Compares in constant time. During a
 * rotation, pass all secrets: the delivery is valid if any of them made the signature or the next signature.
 *
 * Reads the headers `X-Service-…` or, if they are absent, those of Standard Webhooks (`webhook-id`,
 * `webhook-timestamp`, `webhook-signature`), which an endpoint can request.
 *
 *
 * @param rawBody the bytes as they were received, before parsing
 * @param secret `whsec_…`, or several
 * @returns the verified headers
 * @throws WebhookRefused with its reason (DLV-3).
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): VerifiedWebhook {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError(
      'rawBody must be the body as it was received: a text or bytes, not what was parsed of it',
    )
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some(one => typeof one !== 'string' || one === ''))
    throw new TypeError('secret must be the secret of the webhook, or several')
  const { toleranceSeconds = 300, nowMs = Date.now(), headerPrefix = usualPrefix } = options
  const isOurs = headerOf(headers, `${headerPrefix}Signature`) !== undefined
  const isStandard = !isOurs && headerOf(headers, 'webhook-signature') !== undefined
  const verified = isStandard
    ? verifyStandard(rawBody, headers, secrets)
    : verifyOurs(rawBody, headers, secrets, headerPrefix)
  const isNow = Math.abs(nowMs - verified.timestampMs) <= toleranceSeconds * 1000
  if (!isNow) refuse('TOO_OLD_OR_NEW')
  return verified
}

function verifyOurs(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
  headerPrefix: string,
): VerifiedWebhook {
  const read = (name: string) => headerOf(headers, `${headerPrefix}${name}`)
  const need = (name: string) => read(name) ?? refuse('HEADER_MISSING')
  const timestamp = need('Timestamp')
  const signature = need('Signature')
  if (!timestampForm.test(timestamp)) refuse('HEADER_MALFORMED')
  const signatures = [signature, read('Signature-Next')].filter(one => one !== undefined)
  if (!signatures.every(one => signatureForm.test(one))) refuse('HEADER_MALFORMED')

  const isSigned = secrets
    .map(one => signWebhook(rawBody, one, timestamp))
    .flatMap(expected => signatures.map(one => isSame(expected, one)))
    // compares all of them, for constant time
    .includes(true)
  if (!isSigned) refuse('SIGNATURE_WRONG')
  return {
    deliveryId: need('Delivery-Id'),
    event: need('Event'),
    schemaVersion: need('Schema-Version'),
    timestampMs: Number(timestamp),
  }
}

/** The event and its version are only in the body, which is signed. */
function verifyStandard(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
): VerifiedWebhook {
  const need = (name: string) => headerOf(headers, name) ?? refuse('HEADER_MISSING')
  const deliveryId = need('webhook-id')
  const timestamp = need('webhook-timestamp')
  if (!timestampForm.test(timestamp)) refuse('HEADER_MALFORMED')
  // there may be signatures of other versions
  const signatures = need('webhook-signature')
    .split(' ')
    .filter(one => standardForm.test(one))
  if (signatures.length === 0) refuse('HEADER_MALFORMED')
  const isSigned = secrets
    .map(one => signStandardWebhook(rawBody, one, deliveryId, timestamp))
    .flatMap(expected => signatures.map(one => isSame(expected, one)))
    .includes(true)
  if (!isSigned) refuse('SIGNATURE_WRONG')
  return { deliveryId, ...errorCodeIn(rawBody), timestampMs: Number(timestamp) * 1000 }
}

function errorCodeIn(rawBody: string | Uint8Array): Pick<VerifiedWebhook, 'event' | 'schemaVersion'> {
  try {
    const text = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8')
    const { event, meta } = JSON.parse(text)
    return { event: String(event), schemaVersion: String(meta.schemaVersion) }
  } catch {
    return refuse('BODY_MALFORMED')
  }
}

/**
 * Signs a body as the server does, for tests of a receiver.
 *
 *
 * @param timestamp milliseconds since 1970, as in the timestamp header
 * @returns the signature header: `sha256=` and 64 hex digits (DLV-2).
 */
export function signWebhook(
  rawBody: string | Uint8Array,
  secret: string,
  timestamp: string | number,
): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`)
  return `sha256=${(typeof rawBody === 'string' ? hmac.update(rawBody, 'utf8') : hmac.update(rawBody)).digest('hex')}`
}

/**
 * Signs a body as Standard Webhooks does.
 *
 *
 * @param id the header `webhook-id`
 * @param timestampSeconds seconds since 1970, as in the header `webhook-timestamp`
 * @returns the header `webhook-signature`: `v1,` and base64
 */
export function signStandardWebhook(
  rawBody: string | Uint8Array,
  secret: string,
  id: string,
  timestampSeconds: string | number,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`)
  return `v1,${(typeof rawBody === 'string' ? hmac.update(rawBody, 'utf8') : hmac.update(rawBody)).digest('base64')}`
}

function isSame(expected: string, received: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(received)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A header by name in any case. A repeated header counts as absent. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === name.toLowerCase() && value !== undefined,
  )
  if (found.length > 1) refuse('HEADER_MALFORMED')
  const value = found[0]?.[1]
  if (Array.isArray(value)) return value.length === 1 ? (value[0] as string) : refuse('HEADER_MALFORMED')
  return value as string | undefined
}

function refuse(reason: WebhookRefusal): never {
  throw new WebhookRefused(reason)
}
