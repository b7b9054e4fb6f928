import type { Attempt, WholeDelivery } from './delivery.ts'

/** The ends of the scale on which attempts are compared, in milliseconds. */
const scales = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000]
export const phases = ['dns', 'connect', 'tls', 'firstByte', 'rest'] as const
export type Phase = (typeof phases)[number]

/** The end of one scale for all attempts: the next round duration after the longest one. */
export function scaleOf(attempts: readonly Pick<Attempt, 'durationMs'>[]): number {
  const longest = Math.max(0, ...attempts.map(({ durationMs }) => durationMs))
  return scales.find(end => end >= longest) ?? longest
}

/** The phases of an attempt that took time, each with the moment at which it began; empty if they were not measured. */
export function piecesOf({
  timings,
}: Pick<Attempt, 'timings'>): { phase: Phase; startMs: number; durationMs: number }[] {
  if (!timings) return []
  let startMs = 0
  return phases.flatMap(phase => {
    const durationMs = timings[phase]
    const piece = { phase, startMs, durationMs }
    startMs += durationMs
    return durationMs > 0 ? [piece] : []
  })
}

/** The time between the end of an attempt and the start of the next one, in milliseconds; undefined for the first. */
export function waitBefore(history: readonly Attempt[], index: number): number | undefined {
  const [former, attempt] = [history[index - 1], history[index]]
  if (!former || !attempt) return undefined
  return Math.max(0, Date.parse(attempt.startedAt) - Date.parse(former.startedAt) - former.durationMs)
}

/** Whether the server still works on a delivery: it waits for an attempt, also one that a person asked for. */
export function isMoving({ status, dueAt }: Pick<WholeDelivery, 'status' | 'dueAt'>): boolean {
  return status === 'PENDING' || dueAt !== null
}

/** The headers of a request that do not depend on the moment at which it is sent (DLV-2). */
export function requestHeaders(delivery: Pick<WholeDelivery, 'id' | 'event' | 'body'>): [string, string][] {
  return [
    ['content-type', 'application/json'],
    ['user-agent', 'Patio-Webhooks/1'],
    ['X-Service-Event', delivery.event],
    ['X-Service-Delivery-Id', delivery.id],
    ['X-Service-Schema-Version', schemaVersionOf(delivery.body)],
  ]
}

/** The version of the content, which is in the body too. */
export function schemaVersionOf(body: string): string {
  try {
    const { meta } = JSON.parse(body) as { meta?: { schemaVersion?: unknown } }
    return typeof meta?.schemaVersion === 'string' ? meta.schemaVersion : ''
  } catch {
    return ''
  }
}

/**
 * A shell script that sends the delivery again, with a new timestamp and a signature made from the secret, which the
 * person fills in. It works with bash, openssl and curl.
 */
export function curlOf(delivery: Pick<WholeDelivery, 'id' | 'event' | 'body'>, url: string): string {
  const headers = requestHeaders(delivery).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`)
  return [
    "SECRET='whsec_…'",
    `BODY=${quoted(delivery.body)}`,
    'TIMESTAMP="$(date +%s)000"',
    `SIGNATURE="$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')"`,
    `curl -i ${quoted(url)} \\`,
    ...headers,
    '  -H "X-Service-Timestamp: $TIMESTAMP" \\',
    '  -H "X-Service-Signature: sha256=$SIGNATURE" \\',
    '  --data-binary "$BODY"',
  ].join('\n')
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The answer of a receiver as JSON, if it is an object or a list; undefined for anything else. */
export function jsonOf(answer: string): unknown {
  try {
    const value: unknown = JSON.parse(answer)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
