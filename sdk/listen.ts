import { setTimeout as sleep } from 'node:timers/promises'
import { listOwnDeliveries } from '#contract/integrations/deliveries.ts'
import type { Reply } from '#contract/route.ts'
import { CallError, type Client } from './client.ts'
import { signStandardWebhook, signWebhook, usualPrefix } from './webhook.ts'

export type ListenOptions = {
  /** Calls with the key of the application. */
  client: Client
  /** The URL that receives the deliveries. */
  to: string
  /** The secret that signs them. */
  secret: string
  /** A delivery id or cursorAt(): later deliveries are forwarded. */
  after: string
  /** The prefix of the header names, if the server's setting differs. */
  headerPrefix?: string
  /** Stops listening. */
  signal: AbortSignal
  /** Called with the reason and the pause when the server is unavailable. */
  onPause?(why: string, seconds: number): void
}

type Delivery = Reply<typeof listOwnDeliveries>['items'][number]

/** A delivery, and the receiver's status or the reason for its absence. */
export type Forwarded = { delivery: Delivery; result: string; ms: number }

const everyMs = 2_000
const receiverMs = 10_000
const longestPauseSeconds = 30

/** The cursor before the deliveries of that moment, in milliseconds since 1970. Ids begin with the time. */
export function cursorAt(ms: number): string {
  return `c${Math.max(0, ms).toString(36).padStart(8, '0')}`
}

/**
 * Forwards an application's webhook deliveries to a URL, one after the other, with the bytes, ids and headers
 * of the server, signed again. For development: each delivery is posted once, whatever the result.
 *
 *
 * @throws CallError if the server refuses the key, and the reason of `signal` if it is aborted
 */
export async function* listen(options: ListenOptions): AsyncGenerator<Forwarded, never> {
  let { after } = options
  for (;;) {
    const { items, nextAfter, hasMore } = await readPage(options, after)
    for (const delivery of items) yield await forward(options, delivery)
    after = nextAfter ?? after
    if (!hasMore) await sleep(everyMs, undefined, { signal: options.signal })
  }
}

/** A page of deliveries. While the server is unavailable or limits the rate, retries after growing pauses. */
async function readPage({ client, signal, onPause }: ListenOptions, after: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await client.call(listOwnDeliveries, {
        query: { after, limit: 100 },
        signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CallError && error.status < 500 && error.status !== 429) throw error
      const retryAfter = error instanceof CallError ? Number(error.body.retryAfterSeconds) : 0
      const seconds = retryAfter || Math.min(2 ** tries, longestPauseSeconds)
      onPause?.(error instanceof CallError ? error.message : reasonOf(error), seconds)
      await sleep(seconds * 1000, undefined, { signal })
    }
  }
}

async function forward(options: ListenOptions, delivery: Delivery): Promise<Forwarded> {
  const { to, secret, signal, headerPrefix = usualPrefix } = options
  // the server serializes with JSON.stringify, so these are its bytes
  const body = JSON.stringify(delivery.body)
  const { schemaVersion } = delivery.body.meta as { schemaVersion: string }
  const timestamp = Date.now()
  const seconds = Math.floor(timestamp / 1000)
  const startedAt = performance.now()
  const done = (result: string) => ({ delivery, result, ms: Math.round(performance.now() - startedAt) })
  try {
    const response = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(receiverMs)]),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Patio-Webhooks/1',
        [`${headerPrefix}Signature`]: signWebhook(body, secret, timestamp),
        [`${headerPrefix}Timestamp`]: String(timestamp),
        [`${headerPrefix}Event`]: delivery.event,
        [`${headerPrefix}Delivery-Id`]: delivery.id,
        [`${headerPrefix}Schema-Version`]: schemaVersion,
        'webhook-id': delivery.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signStandardWebhook(body, secret, delivery.id, seconds),
      },
      body,
    })
    await response.arrayBuffer()
    return done(String(response.status))
  } catch (error) {
    signal.throwIfAborted()
    return done(reasonOf(error))
  }
}

/** The system's reason why there was no response: `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
