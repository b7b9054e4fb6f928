import { setTimeout as sleep } from 'node:timers/promises'
import { listOwnDeliveries } from '#contract/integrations/deliveries.ts'
import type { Reply } from '#contract/route.ts'
import { CallError, type Client } from './client.ts'
import { signStandardWebhook, signWebhook, usualPrefix } from './webhook.ts'

export type ListenOptions = {
  /** Asks with the key of the application. */
  client: Client
  /** Where notices are posted to. */
  to: string
  /** What they are signed with. */
  secret: string
  /** The id of a delivery, or cursorAt(): what was written after it is forwarded. */
  after: string
  /** What the names of the headers begin with, when the server has another setting. */
  headerPrefix?: string
  /** Ends it. */
  signal: AbortSignal
  /** Is told why it waits when the server cannot be asked now, and for how long. */
  onPause?(why: string, seconds: number): void
}

type Delivery = Reply<typeof listOwnDeliveries>['items'][number]

/** A notice, and what the receiver made of it: its status, or why there is none. */
export type Forwarded = { delivery: Delivery; result: string; ms: number }

const everyMs = 2_000
const receiverMs = 10_000
const longestPauseSeconds = 30

/** A place among deliveries: before those of that moment, in milliseconds since 1970. Ids begin with it. */
export function cursorAt(ms: number): string {
  return `c${Math.max(0, ms).toString(36).padStart(8, '0')}`
}

/**
 * Posts what an application is told to an address of one's own, one notice after another, with the bytes, the id and
 * the headers that the server sends, signed anew. For development: each notice is posted once, whatever comes of it.
 *
 * @throws CallError when the server refuses the key, and the reason of `signal` when that ends it
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

/** A page of deliveries; while the server does not answer, or tells to wait, it is asked again after growing pauses. */
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
      const told = error instanceof CallError ? Number(error.body.retryAfterSeconds) : 0
      const seconds = told || Math.min(2 ** tries, longestPauseSeconds)
      onPause?.(error instanceof CallError ? error.message : reasonOf(error), seconds)
      await sleep(seconds * 1000, undefined, { signal })
    }
  }
}

async function forward(options: ListenOptions, delivery: Delivery): Promise<Forwarded> {
  const { to, secret, signal, headerPrefix = usualPrefix } = options
  // the server wrote it as JSON.stringify does, so these are its bytes
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

/** Why there was no answer, in the words of the system: `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
