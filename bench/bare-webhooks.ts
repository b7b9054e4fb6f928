/** The limit of sending webhooks: a loop that signs and posts, and stores nothing. */
import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { answer } from './answers.ts'

export type Loop = { port: number; endpoints: number; count: number; concurrency: number; body: string }

answer({ run })

/** Deliveries per second. */
async function run({ port, endpoints, count, concurrency, body }: Loop): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency, pipelining: 1 })
  let next = 0
  async function worker(): Promise<void> {
    while (next < count) {
      const n = next++
      const timestamp = String(Date.now())
      const signature = createHmac('sha256', 'whsec_bench').update(`${timestamp}.${body}`).digest('hex')
      const { body: answered } = await pool.request({
        path: `/${n % endpoints}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'bare',
          'x-service-signature': `sha256=${signature}`,
          'x-service-timestamp': timestamp,
          'x-service-event': 'WEBHOOK_TEST',
          'x-service-delivery-id': String(n),
          'x-service-schema-version': '2026-07',
        },
        body,
      })
      await answered.dump()
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return count / seconds
}
