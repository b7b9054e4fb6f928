/** The peer of sending webhooks: a BullMQ worker that signs and posts, with its jobs in Redis. */
import { createHmac } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { Pool } from 'undici'
import { defined } from '#tests/support/elements.ts'
import { answer } from './answers.ts'
import type { Loop } from './bare-webhooks.ts'

export type Jobs = Loop & { redisPort: number }
type Notice = { endpoint: number; body: string }

const name = 'notices'
const chunk = 2_000

answer({ run })

/**
 * Completed jobs per second. They are added beforehand in bulk, as the product's events are committed
 * beforehand.
 */
async function run({ redisPort, port, endpoints, count, concurrency, body }: Jobs): Promise<number> {
  const connection = { host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null }
  const queue = new Queue<Notice>(name, { connection })
  for (let from = 0; from < count; from += chunk) {
    const ns = Array.from({ length: Math.min(chunk, count - from) }, (_, at) => from + at)
    const opts = { attempts: 5, backoff: { type: 'exponential', delay: 5_000 } }
    await queue.addBulk(ns.map(n => ({ name, data: { endpoint: n % endpoints, body }, opts })))
  }
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency, pipelining: 1 })
  const done = Promise.withResolvers<void>()
  let completed = 0
  const worker = new Worker<Notice>(name, job => post(pool, defined(job.id), job.data), {
    connection,
    concurrency,
    autorun: false,
  })
  worker.on('completed', () => {
    if (++completed === count) done.resolve()
  })
  worker.on('failed', (_job, error) => done.reject(error))
  worker.on('error', done.reject)
  await worker.waitUntilReady()
  const startedAt = performance.now()
  void worker.run()
  await done.promise
  const seconds = (performance.now() - startedAt) / 1000
  await worker.close()
  await queue.obliterate({ force: true })
  await queue.close()
  await pool.close()
  return count / seconds
}

async function post(pool: Pool, id: string, { endpoint, body }: Notice): Promise<number> {
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', 'whsec_bench').update(`${timestamp}.${body}`).digest('hex')
  const { statusCode, body: answered } = await pool.request({
    path: `/${endpoint}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'bullmq',
      'x-service-signature': `sha256=${signature}`,
      'x-service-timestamp': timestamp,
      'x-service-event': 'WEBHOOK_TEST',
      'x-service-delivery-id': id,
      'x-service-schema-version': '2026-07',
    },
    body,
  })
  await answered.dump()
  if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
  return statusCode
}
