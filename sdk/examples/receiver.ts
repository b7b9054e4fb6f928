import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type VerifiedWebhook, verifyWebhook, WebhookRefused } from '../webhook.ts'

/** A delivery: its verified headers (DLV-2) and its body (EVT-2). */
export type Notice = VerifiedWebhook & { body: { event: string; data: Record<string, unknown> } }

const mostBytes = 1_000_000

/**
 * A complete webhook receiver: it verifies the signature over the raw bytes, drops repeated deliveries, and
 * replies before any work begins.
 *
 *
 * @param secrets returns the secrets of the webhook for each delivery: two during a rotation
 * @param onNotice is called once for each delivery
 */
export async function openReceiver(
  secrets: readonly string[],
  onNotice: (notice: Notice) => void,
  port = 0,
): Promise<{ url: string; close(): Promise<void> }> {
  // store them for some days outside the process in production
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
      // 401 is final; after 500 the delivery is sent again
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
