import type { Socket } from 'node:net'
import { inTurn, itemAt } from '#tests/support/elements.ts'
import { type Connection, openConnection } from './connection.ts'
import { type CliOptions, requestWriter } from './request-template.ts'
import { percentile } from './statistics.ts'

export type EventBurst = CliOptions & {
  port: number
  from: number
  seconds: number
  publishers: number
  ahead: number
}
export type DeliveryTimes = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  bytesEach: number
  events: number
}
export type PacedRun = CliOptions & {
  port: number
  perSecond: number
  seconds: number
  from: number
  /** The objects of the requests, used in turn. */
  ids: string[]
}
/** Without subscribers no event arrives, and its times are not numbers. */
export type Delays = { answerMs: Two; eventMs: Two }
type Two = { p50: number; p99: number }

/** Streams of one server. */
export type SubscriberGroup = {
  sockets: Socket[]
  received: number[]
  total: number
  bytes: number
  sample: string
  receivedAt?: number
  /** Receives every event as text; costs time, so only set where events must be distinguished. */
  onEvents?: (text: string) => void
  notice?: () => void
}

/** Subscribers that receive nothing for this long have stopped. */
const silenceMs = 20_000

/**
 * Publishes events for some seconds, never more than `ahead` beyond the slowest subscriber, and waits until
 * every subscriber has every event. Returns deliveries per second.
 */
export async function burst(crowd: SubscriberGroup, given: EventBurst): Promise<DeliveryTimes> {
  const readers = crowd.sockets.length
  const before = { total: crowd.total, bytes: crowd.bytes, received: [...crowd.received] }
  const write = requestWriter(given)
  const sentAt: number[] = []
  const tookMs: number[] = []
  const failed = Promise.withResolvers<never>()
  const done = Promise.withResolvers<void>()
  const open = Array.from({ length: given.publishers }, () => openConnection(given.port, failed.reject))
  const connections = await Promise.race([Promise.all(open), failed.promise])
  const idle = [...connections]
  const startedAt = performance.now()
  const stopAt = startedAt + given.seconds * 1000
  const late = setInterval(() => {
    if (performance.now() - (crowd.receivedAt ?? startedAt) > silenceMs) {
      failed.reject(
        new Error(`${sentAt.length * readers - crowd.total + before.total} deliveries are missing`),
      )
    }
  }, 1_000)

  function publishMore(): void {
    const complete = Math.floor((crowd.total - before.total) / readers)
    const now = performance.now()
    for (const ms of sentAt.slice(tookMs.length, complete)) tookMs.push(now - ms)
    while (now < stopAt && sentAt.length - complete < given.ahead) {
      const connection = idle.pop()
      if (!connection) break
      publish(connection)
    }
    if (now >= stopAt && complete === sentAt.length && idle.length === connections.length) done.resolve()
  }
  function publish(connection: Connection): void {
    const n = sentAt.push(performance.now()) - 1
    connection.ask(write(given.from + n), (status, bytes) => {
      if (status !== given.status)
        failed.reject(new Error(`${given.path}: ${bytes.toString('utf8', 0, 2_000)}`))
      idle.push(connection)
      publishMore()
    })
  }
  crowd.notice = publishMore
  publishMore()
  await Promise.race([done.promise, failed.promise]).finally(() => clearInterval(late))
  const seconds = (performance.now() - startedAt) / 1000
  delete crowd.notice
  for (const connection of connections) connection.close()
  const events = sentAt.length
  const uneven = crowd.received.findIndex((count, at) => count - itemAt(before.received, at) !== events)
  if (uneven !== -1) throw new Error(`${given.path}: reader ${uneven} has not received each event once`)
  return {
    perSecond: (events * readers) / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    bytesEach: (crowd.bytes - before.bytes) / (events * readers),
    events,
  }
}

/** Sends requests at a fixed rate, and times their replies and, with subscribers, their events. */
export async function paced(crowd: SubscriberGroup | undefined, given: PacedRun): Promise<Delays> {
  const write = requestWriter(given)
  const sentAt = new Map<string, number>()
  const answers: number[] = []
  const arrivals: number[] = []
  const failed = Promise.withResolvers<never>()
  const idle: Connection[] = []
  const total = given.perSecond * given.seconds
  if (crowd) {
    crowd.onEvents = text => {
      for (const [, id = ''] of text.matchAll(/"assetId":"(\w+)"/g)) {
        const at = sentAt.get(id)
        if (at !== undefined) arrivals.push(performance.now() - at)
      }
    }
  }
  const startedAt = performance.now()
  for (let n = 0; n < total; n++) {
    const dueMs = startedAt + (n * 1000) / given.perSecond - performance.now()
    if (dueMs > 0) await Promise.race([new Promise(resolve => setTimeout(resolve, dueMs)), failed.promise])
    const connection = idle.pop() ?? (await openConnection(given.port, failed.reject))
    const at = performance.now()
    sentAt.set(inTurn(given.ids, given.from + n), at)
    connection.ask(write(given.from + n), (status, bytes) => {
      if (status !== given.status)
        failed.reject(new Error(`${given.path}: ${bytes.toString().slice(0, 2_000)}`))
      answers.push(performance.now() - at)
      idle.push(connection)
    })
  }
  const wanted = total * (crowd?.sockets.length ?? 0)
  for (let tries = 0; answers.length < total || arrivals.length < wanted; tries++) {
    if (tries > 1_000) throw new Error(`${wanted - arrivals.length} of ${wanted} events are missing`)
    await Promise.race([new Promise(resolve => setTimeout(resolve, 10)), failed.promise])
  }
  for (const connection of idle) connection.close()
  const two = (values: number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) })
  return { answerMs: two(answers), eventMs: two(arrivals) }
}
