/** The load generator: a separate process that keeps a fixed number of requests in flight. */
import { answer } from './answers.ts'
import { openConnection } from './connection.ts'
import { type CliOptions, requestWriter } from './request-template.ts'
import { percentile } from './statistics.ts'

export type Load = CliOptions & {
  port: number
  concurrency: number
  seconds: number
  /** A fixed rate instead of the maximum; each request is timed from when it was due. */
  perSecond?: number
  /** The maximum number of requests. */
  most?: number
  /** The number of the first request, so that a later round continues where this one ended. */
  from: number
}
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  meanMs: number
  requests: number
  next: number
}

const latencies = new Float64Array(4_000_000)

answer({ run })

async function run(load: Load): Promise<LoadResult> {
  const write = requestWriter(load)
  const last = load.from + (load.most ?? Number.POSITIVE_INFINITY)
  let count = 0
  let next = load.from
  const failed = Promise.withResolvers<never>()
  const opening = Array.from({ length: load.concurrency }, () => openConnection(load.port, failed.reject))
  const connections = await Promise.race([Promise.all(opening), failed.promise])
  const startedAt = performance.now()
  const stopAt = startedAt + load.seconds * 1000

  const done = connections.map(
    connection =>
      new Promise<void>(resolve => {
        let sentAt = performance.now()
        ask()

        function ask(): void {
          const number = next++
          if (!load.perSecond) {
            connection.ask(write(number), onReply)
            return
          }
          sentAt = startedAt + ((number - load.from) / load.perSecond) * 1000
          const waitMs = sentAt - performance.now()
          if (waitMs < 1) connection.ask(write(number), onReply)
          else setTimeout(() => connection.ask(write(number), onReply), waitMs)
        }

        function onReply(status: number, bytes: Buffer): void {
          const at = performance.now()
          latencies[count++] = at - sentAt
          if (status !== load.status)
            failed.reject(new Error(`${load.path}: ${bytes.toString('utf8').slice(0, 2_000)}`))
          else if (at < stopAt && next < last) {
            sentAt = at
            ask()
          } else resolve()
        }
      }),
  )
  await Promise.race([Promise.all(done), failed.promise]).finally(() => {
    for (const connection of connections) connection.close()
  })
  const taken = latencies.subarray(0, count)
  return {
    perSecond: (count / (performance.now() - startedAt)) * 1000,
    p50Ms: percentile(taken, 0.5),
    p95Ms: percentile(taken, 0.95),
    p99Ms: percentile(taken, 0.99),
    meanMs: taken.reduce((sum, ms) => sum + ms, 0) / count,
    requests: count,
    next,
  }
}
