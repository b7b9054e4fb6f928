import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../processes.ts'

/** A received webhook. `at` is the time on the monotonic clock when it was complete. */
export type ReceivedWebhook = {
  at: number
  path: string
  deliveryId: string
  event: string
  timestampMs: number
  signature: string
  headers: IncomingMessage['headers']
  body: string
}
/** The reply of a receiver: a status, or a function that writes the response. */
export type ReceiverReply = number | ((response: ServerResponse, webhook: ReceivedWebhook) => void)

/** An HTTP server that records the webhooks it receives. */
export type WebhookReceiver = {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** Sets the reply to webhooks whose path begins with `path`; the longest match counts. */
  replyWith(reply: ReceiverReply | ((webhook: ReceivedWebhook) => ReceiverReply), path?: string): void
  /** Resolves when this many webhooks arrived whose path begins with `path`. */
  waitFor(count: number, path?: string, withinMs?: number): Promise<ReceivedWebhook[]>
  connections(): number
  close(): Promise<void>
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const webhooks: ReceivedWebhook[] = []
  const replies = new Map<string, ReceiverReply | ((webhook: ReceivedWebhook) => ReceiverReply)>([['/', 204]])
  let connections = 0
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const webhook = toReceived(request, Buffer.concat(chunks).toString())
      webhooks.push(webhook)
      const [, chosen = 204] = [...replies]
        .filter(([path]) => webhook.path.startsWith(path))
        .reduce((best, one) => (one[0].length >= best[0].length ? one : best))
      let reply: unknown = chosen
      if (typeof chosen === 'function' && chosen.length < 2)
        reply = (chosen as (n: ReceivedWebhook) => ReceiverReply)(webhook)
      if (typeof reply === 'number') response.writeHead(reply).end()
      else (reply as (response: ServerResponse, webhook: ReceivedWebhook) => void)(response, webhook)
    })
  })
  server.on('connection', () => connections++)
  server.keepAliveTimeout = 65_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const on = (path: string) => webhooks.filter(webhook => webhook.path.startsWith(path))
  return {
    url: `http://127.0.0.1:${port}`,
    received: webhooks,
    connections: () => connections,
    replyWith: (reply, path = '/') => void replies.set(path, reply),
    async waitFor(count, path = '/', withinMs?: number) {
      await until(`${count} notices on ${path}`, () => on(path).length >= count, withinMs)
      return on(path)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function toReceived({ headers, url = '' }: IncomingMessage, body: string): ReceivedWebhook {
  const of = (name: string) => String(headers[`x-service-${name}`] ?? '')
  return {
    at: performance.now(),
    path: url,
    headers,
    body,
    deliveryId: of('delivery-id'),
    event: of('event'),
    timestampMs: Number(of('timestamp')),
    signature: of('signature'),
  }
}

/** The signature that a receiver with this secret expects. */
export function expectedSignature(
  { timestampMs, body }: Pick<ReceivedWebhook, 'timestampMs' | 'body'>,
  secret: string,
) {
  return `sha256=${createHmac('sha256', secret).update(`${timestampMs}.${body}`).digest('hex')}`
}
