import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'

/** Where a worker shows its metrics. */
export type MetricsServer = { close(): Promise<void> }

const retryMs = 5_000
const requestMs = 5_000
const maxConnections = 20

/**
 * Serves `/metrics` and `/healthz` of a worker, without a credential. A port that is taken does not stop the worker, because
 * metrics are worth less than its work: it logs a warning and tries again.
 */
export function openMetricsServer(
  metrics: Metrics,
  { host, port, log }: { host: string; port: number; log: Pick<Log, 'info' | 'warn'> },
): MetricsServer {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      const path = request.url?.split('?', 1)[0]
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (isRead && path === '/healthz') {
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.end('{"status":"ok"}')
      } else if (isRead && path === '/metrics') {
        metrics.text().then(
          text => response.setHeader('content-type', metrics.contentType).end(text),
          error => {
            log.warn({ err: error }, 'the metrics could not be shown')
            response.writeHead(500).end()
          },
        )
      } else {
        response.writeHead(404).end()
      }
    },
  )
  server.maxConnections = maxConnections
  const closing = new AbortController()
  const listening = listen(server, { host, port, log }, closing.signal)
  return {
    async close() {
      closing.abort()
      await listening
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Listens as soon as the address is free. */
async function listen(
  server: Server,
  { host, port, log }: { host: string; port: number; log: Pick<Log, 'info' | 'warn'> },
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    const error = await new Promise<Error | undefined>(resolve => {
      server.once('error', resolve)
      server.listen(port, host, () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (!error) {
      const { address, family, port } = server.address() as AddressInfo
      const name = family === 'IPv6' ? `[${address}]` : address
      log.info({ url: `http://${name}:${port}/metrics` }, 'metrics')
      return
    }
    log.warn({ err: error, host, port }, 'metrics are not shown, because their address cannot be used')
    await sleep(retryMs, undefined, { signal: closing }).catch(() => {})
  }
}
