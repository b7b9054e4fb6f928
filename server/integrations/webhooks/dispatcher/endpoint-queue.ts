import type { OriginClient } from '#platform/adapters/http-client/post.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { NewRange } from '../new-range.ts'
import type { AttemptOutcome, DeliveryTrigger } from './attempt-outcome.ts'
import type { DeliverySigners } from './sign.ts'

/** A delivery in memory. `dueAt` is a time of this process's monotonic clock. */
export type QueuedDelivery = {
  shard: number
  organizationId: string
  applicationId: string
  deliveryId: string
  event: string
  about: EventSubject
  body: string
  /** The range that contains it in webhook_new_range; null if it has a row in webhook_due. */
  range: NewRange | null
  attempt: number
  retries: number
  trigger: DeliveryTrigger
  dueAt: number
  /** It was sent, and its result is not recorded yet. */
  isSent: boolean
}

/** The endpoint of a queue, as it was last read. */
export type Endpoint = {
  url: URL
  /** Path and query of the URL. */
  path: string
  signers: DeliverySigners
  scopes: ReadonlySet<string>
  maxPerSecond: number | null
  isFailing: boolean
  /** Differs when any of these changed. */
  fingerprint: string
}

/** The deliveries of one endpoint in memory, and its concurrency. */
export type EndpointQueue = {
  readonly organizationId: string
  readonly applicationId: string
  readonly shard: number
  /** Undefined while nothing may be sent. */
  endpoint: Endpoint | undefined
  /** The endpoint must be read again before anything is sent. */
  isEndpointStale: boolean
  client: OriginClient | undefined
  /** Due now: retries, and deliveries without an attempt. */
  readonly retryQueue: FifoQueue<QueuedDelivery>
  readonly firstAttempts: FifoQueue<QueuedDelivery>
  /** The endpoint takes one delivery at a time, in order. */
  isOrdered: boolean
  /** The deliveries of an ordered endpoint, in order; it does not use the two queues. See ordered-queue.ts. */
  sequence: QueuedDelivery[]
  /** All deliveries in memory by id: waiting, in flight, or not recorded yet. */
  loaded: Map<string, QueuedDelivery>
  /** Increases when waiting deliveries are dropped, which makes earlier timers invalid. */
  generation: number
  /** How far the tables were read. Returns to the start from time to time, to find late rows. */
  cursor: { dueAt: string; deliveryId: string; rangeFirstId: string; lastId: string }
  lastRereadAt: number
  lastLoadedAt: number
  /** As far as this process knows, every due delivery is in memory. */
  isFullyLoaded: boolean
  /** Missing deliveries are being read. */
  isLoading: boolean
  /** It is time to check whether everything is loaded. */
  needsRecheck: boolean
  inFlight: number
  concurrency: number
  successes: number
  failures: number
  averageMs: number
  isSlow: boolean
  isScheduled: boolean
  /** The earliest time of the next request to an endpoint with a rate limit. */
  notBefore: number
  isPaceTimerSet: boolean
  /** The requests in flight with their start times, in order. */
  readonly startedRequests: Set<{ at: number }>
  lastUsedAt: number
  endpointReadAt: number
  counts: AttemptCounts
}

/** Results of attempts since the health of the endpoint was last written, at `writtenAt`. */
export type AttemptCounts = {
  hasDelivered: boolean
  /** Since the last success. */
  failedAttempts: number
  failedDeliveries: number
  isGone: boolean
  writtenAt: number
}

export function emptyCounts(notedAt: number): AttemptCounts {
  return { hasDelivered: false, failedAttempts: 0, failedDeliveries: 0, isGone: false, writtenAt: notedAt }
}

/** Before all due deliveries. */
export const cursorStart: EndpointQueue['cursor'] = {
  dueAt: '-infinity',
  deliveryId: '',
  rangeFirstId: '',
  lastId: '',
}
export const initialConcurrency = 8
export const maxConcurrency = 64
const connectionFailureLimit = 5
const slowMs = 1_000
const quickMs = 500
/** Weight of the newest response time in the average. */
const newestWeight = 0.2

export function openEndpointQueue(
  key: Pick<EndpointQueue, 'organizationId' | 'applicationId' | 'shard'>,
  at: number,
): EndpointQueue {
  return {
    ...key,
    endpoint: undefined,
    isEndpointStale: false,
    client: undefined,
    retryQueue: openFifoQueue(),
    firstAttempts: openFifoQueue(),
    isOrdered: false,
    sequence: [],
    loaded: new Map(),
    generation: 0,
    cursor: cursorStart,
    lastRereadAt: at,
    lastLoadedAt: 0,
    isFullyLoaded: false,
    isLoading: false,
    needsRecheck: false,
    inFlight: 0,
    concurrency: initialConcurrency,
    successes: 0,
    failures: 0,
    averageMs: 0,
    isSlow: false,
    isScheduled: false,
    notBefore: 0,
    isPaceTimerSet: false,
    startedRequests: new Set(),
    lastUsedAt: at,
    endpointReadAt: 0,
    counts: emptyCounts(0),
  }
}

export function waitingCount(queue: EndpointQueue): number {
  return queue.retryQueue.size() + queue.firstAttempts.size() + queue.sequence.length
}

/** The first delivery of an ordered endpoint, when it may be sent now. */
function firstInSequence({ sequence }: EndpointQueue, at: number): QueuedDelivery | undefined {
  const [first] = sequence
  return first && !first.isSent && first.dueAt <= at ? first : undefined
}

/** True if the next delivery of the queue can be sent now. */
export function isReady(queue: EndpointQueue, at: number): boolean {
  const { endpoint, inFlight, isOrdered, isEndpointStale, notBefore, concurrency } = queue
  if (endpoint === undefined || isEndpointStale || at < notBefore) return false
  if (!isOrdered) return inFlight < concurrency && waitingCount(queue) > 0
  const isOneDue =
    queue.retryQueue.size() + queue.firstAttempts.size() > 0 || firstInSequence(queue, at) !== undefined
  return inFlight === 0 && isOneDue
}

/** Drops waiting deliveries, which stay due in the tables. Sent ones stay in memory until they are recorded. */
export function dropWaiting(queue: EndpointQueue): void {
  queue.generation++
  queue.retryQueue.clear()
  queue.firstAttempts.clear()
  queue.sequence = queue.sequence.filter(({ isSent }) => isSent)
  queue.loaded = new Map([...queue.loaded].filter(([, { isSent }]) => isSent))
  Object.assign(queue, { isFullyLoaded: false, cursor: cursorStart })
}

/** Retries go first. */
export function takeNext(queue: EndpointQueue, at: number): QueuedDelivery | undefined {
  return queue.retryQueue.take() ?? queue.firstAttempts.take() ?? firstInSequence(queue, at)
}

/**
 * Adapts the concurrency to the result of an attempt. A round of successes adds one request. A timeout, 429 or 503
 * halves it. Five failed connections in a row reduce it to one.
 */
export function adaptConcurrency(
  queue: EndpointQueue,
  outcome: AttemptOutcome,
  status: number | null,
  durationMs: number,
): void {
  queue.averageMs += (durationMs - queue.averageMs) * (queue.averageMs === 0 ? 1 : newestWeight)
  if (outcome === 'TIMEOUT' || status === 429 || status === 503)
    queue.concurrency = Math.max(1, queue.concurrency >> 1)
  if (status !== null) {
    queue.failures = 0
    if (
      outcome === 'DELIVERED' &&
      queue.inFlight + 1 >= queue.concurrency &&
      ++queue.successes >= queue.concurrency
    ) {
      queue.successes = 0
      if (queue.averageMs < slowMs) queue.concurrency = Math.min(maxConcurrency, queue.concurrency + 1)
    }
  } else if (++queue.failures >= connectionFailureLimit) queue.concurrency = 1
}

/** True if the endpoint answers slowly, by its average response time. */
export function isSlow({ isSlow: before, averageMs }: Pick<EndpointQueue, 'isSlow' | 'averageMs'>): boolean {
  return averageMs > slowMs || (before && averageMs > quickMs)
}

/** A first-in, first-out queue that takes in constant time. */
export type FifoQueue<T> = {
  add(value: T): void
  take(): T | undefined
  size(): number
  clear(): void
}

export function openFifoQueue<T>(): FifoQueue<T> {
  let list: T[] = []
  let head = 0
  return {
    add: value => void list.push(value),
    take() {
      if (head === list.length) return undefined
      const value = list[head]!
      list[head++] = undefined as T
      if (head > 1_024 && head * 2 > list.length) {
        list = list.slice(head)
        head = 0
      }
      return value
    },
    size: () => list.length - head,
    clear() {
      list = []
      head = 0
    },
  }
}
