import type { RequestOptions } from '#platform/adapters/http-client/post.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { NewRange } from '../new-range.ts'
import type { AttemptOutcome, DeliveryTrigger } from './attempt-outcome.ts'
import type { Signers } from './sign.ts'

/** A notice in hand. `dueAt` is a place of this process's monotonic clock. */
export type QueuedDelivery = {
  shard: number
  organizationId: string
  applicationId: string
  deliveryId: string
  event: string
  about: EventSubject
  body: string
  /** What stands for it in the database; null: a row of its own. */
  range: NewRange | null
  attempt: number
  retries: number
  trigger: DeliveryTrigger
  dueAt: number
  /** It was sent, and its result is not recorded. */
  isSent: boolean
}

/** Where a lane leads, as it was read last. */
export type Endpoint = {
  url: URL
  /** Path and query of it. */
  path: string
  signers: Signers
  scopes: ReadonlySet<string>
  maxPerSecond: number | null
  isFailing: boolean
  /** Tells whether any of it changed. */
  fingerprint: string
}

/** The waiting notices of one endpoint, and how many of them it may have at a time. */
export type EndpointQueue = {
  readonly organizationId: string
  readonly applicationId: string
  readonly shard: number
  /** Undefined while nothing may be sent to it. */
  endpoint: Endpoint | undefined
  /** It was not read for so long that it is read again before anything is sent. */
  isEndpointStale: boolean
  client: RequestOptions | undefined
  /** Due now: notices that failed before, and those that are new. */
  readonly retryQueue: FifoQueue<QueuedDelivery>
  readonly firstAttempts: FifoQueue<QueuedDelivery>
  /** The endpoint takes one delivery at a time, in order. */
  isOrdered: boolean
  /** Of an ordered endpoint the deliveries in hand, in order, instead of the two queues; see sequence.ts. */
  sequence: QueuedDelivery[]
  /** All that are in hand by their ids: waiting, under way, or with a result that is not recorded. */
  loaded: Map<string, QueuedDelivery>
  /** Grows when what waits is let go: alarms that were set before mean nothing then. */
  generation: number
  /** How far this lane was read: what is due later comes next. At the start again now and then, for what came in late. */
  cursor: { dueAt: string; deliveryId: string; rangeFirstId: string; lastId: string }
  lastRereadAt: number
  lastLoadedAt: number
  /** There is nothing in the table that is not in hand, as far as this process knows. */
  isFullyLoaded: boolean
  /** What is not in hand is being read. */
  isLoading: boolean
  /** It is time to look whether it really is complete. */
  needsRecheck: boolean
  inFlight: number
  concurrency: number
  successes: number
  failures: number
  averageMs: number
  isSlow: boolean
  isScheduled: boolean
  /** Before this no other one may be sent, when the endpoint takes so many in a second. */
  notBefore: number
  isPaceTimerSet: boolean
  /** When each request that is under way was begun, in order. */
  readonly startedRequests: Set<{ at: number }>
  lastUsedAt: number
  endpointReadAt: number
  counts: AttemptCounts
}

/** What attempts said of an endpoint since it was written down, which was at `notedAt`. */
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

/** Before everything that is due. */
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
/** Weight of the newest answer in the mean. */
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

/** True when the next notice of the lane could be sent at once. */
export function isReady(queue: EndpointQueue, at: number): boolean {
  const { endpoint, inFlight, isOrdered, isEndpointStale, notBefore, concurrency } = queue
  if (endpoint === undefined || isEndpointStale || at < notBefore) return false
  if (!isOrdered) return inFlight < concurrency && waitingCount(queue) > 0
  const isOneDue =
    queue.retryQueue.size() + queue.firstAttempts.size() > 0 || firstInSequence(queue, at) !== undefined
  return inFlight === 0 && isOneDue
}

/** Lets go of what waits: it stays due in the table. What was sent stays in hand until it is recorded. */
export function dropWaiting(queue: EndpointQueue): void {
  queue.generation++
  queue.retryQueue.clear()
  queue.firstAttempts.clear()
  queue.sequence = queue.sequence.filter(({ isSent }) => isSent)
  queue.loaded = new Map([...queue.loaded].filter(([, { isSent }]) => isSent))
  Object.assign(queue, { isFullyLoaded: false, cursor: cursorStart })
}

/** What failed before goes first. */
export function takeNext(queue: EndpointQueue, at: number): QueuedDelivery | undefined {
  return queue.retryQueue.take() ?? queue.firstAttempts.take() ?? firstInSequence(queue, at)
}

/**
 * Follows what an attempt shows: an endpoint that answers gets one more at a time for each round of successes, one
 * that lets us wait or turns us away half as many, and one that does not let us in five times in a row a single one.
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

/** Whether it keeps requests waiting, by its last answers. */
export function isSlow({ isSlow: before, averageMs }: Pick<EndpointQueue, 'isSlow' | 'averageMs'>): boolean {
  return averageMs > slowMs || (before && averageMs > quickMs)
}

/** First in, first out, without moving what waits. */
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
