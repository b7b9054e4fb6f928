import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type VerifiedWebhook, verifyWebhook, WebhookRefused } from '../webhook.ts'

/** A delivery: its verified headers (DLV-2) and its body (EVT-2). */
export type Notice = VerifiedWebhook & { body: { event: string; data: Record<string, unknown> } }

const mostBytes = 1_000_000

/**
 * A whole receiver of webhooks on this machine: it checks the signature over the bytes as they came, drops what it has
 * seen, and answers before any work begins.
 *
 * @param secrets those of the webhook, looked at for each notice: while they are rotated there are two
 * @param onNotice is called once for each notice
 */
export async function openReceiver(
  secrets: readonly string[],
  onNotice: (notice: Notice) => void,
  port = 0,
): Promise<{ url: string; close(): Promise<void> }> {
  // a real one keeps them where they outlive it, for some days
  const seen = new Set<string>()
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of request) {
        size += chunk.length
        if (size > mostBytes) return response.writeHead(413).end()
        chunks.push(chunk)
      }
      const rawBody = Buffer.concat(chunks)
      const verified = verifyWebhook(rawBody, request.headers, secrets)
      response.writeHead(204).end()
      if (seen.has(verified.deliveryId)) return
      seen.add(verified.deliveryId)
      onNotice({ ...verified, body: JSON.parse(rawBody.toString()) })
    } catch (error) {
      // 401 is final; after 500 the notice is sent again
      if (!response.headersSent) response.writeHead(error instanceof WebhookRefused ? 401 : 500).end()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
