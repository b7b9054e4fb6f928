import { monotonicMs } from '#platform/clock.ts'
import type { DueDelivery } from '../../due-delivery.ts'
import { EndpointQueue, type QueueKey } from './endpoint-queue.ts'
import { type FifoQueue, openFifoQueue } from './fifo-queue.ts'
import type { StartedRequest } from './request-limit.ts'
import { openTimerHeap } from './timer-heap.ts'

export type EndpointQueuesOptions = {
  /** Concurrent requests. All slow queues together have a quarter of it in addition. */
  maxInFlight: number
  maySend(): boolean
  send(queue: EndpointQueue, delivery: DueDelivery, request: StartedRequest): void
}

/** Queues that share a number of concurrent requests. */
type QueueGroup = { ready: FifoQueue<EndpointQueue>; inFlight: number; maxInFlight: number }

const hangingMs = 1_000
/** The burst that a rate limit allows after idle time. */
const burstMs = 50
/** Requests that start in one turn of the event loop, so that responses and the relay are served in between. */
export const requestsPerTurn = 16

/**
 * All endpoint queues of this process. They send in turns: each ready queue sends one delivery and goes to the end. A
 * queue at its limit waits for its own requests and does not block others. Slow queues never use the capacity of quick
 * ones.
 */
export class EndpointQueues {
  readonly #maySend: EndpointQueuesOptions['maySend']
  readonly #send: EndpointQueuesOptions['send']
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #quick: QueueGroup
  readonly #slow: QueueGroup
  readonly #timers = openTimerHeap<EndpointQueue>(queue => this.#onTimer(queue))
  #requestsLeft = requestsPerTurn
  #nextTurn: NodeJS.Immediate | undefined

  constructor({ maxInFlight, maySend, send }: EndpointQueuesOptions) {
    this.#maySend = maySend
    this.#send = send
    this.#quick = openGroup(maxInFlight)
    this.#slow = openGroup(Math.max(1, Math.floor(maxInFlight / 4)))
  }

  all(): EndpointQueue[] {
    return [...this.#queues.values()]
  }
  find(applicationId: string): EndpointQueue | undefined {
    return this.#queues.get(applicationId)
  }
  /** True unless the queue was dropped. */
  includes(queue: EndpointQueue): boolean {
    return this.#queues.get(queue.applicationId) === queue
  }
  inFlight(): number {
    return this.#quick.inFlight + this.#slow.inFlight
  }

  /** Returns the queue of an application, and creates it if needed. */
  open(key: QueueKey): EndpointQueue {
    const queue = this.find(key.applicationId) ?? new EndpointQueue(key, monotonicMs())
    this.#queues.set(key.applicationId, queue)
    return queue
  }

  drop(queue: EndpointQueue): void {
    if (!this.includes(queue)) return
    this.#queues.delete(queue.applicationId)
    queue.deliveries.dropWaiting()
    queue.endpoint?.client.close()
  }

  /** Adds a delivery that is sent when it is due. False if the queue already has it. */
  add(queue: EndpointQueue, delivery: DueDelivery): boolean {
    if (queue.deliveries.has(delivery.deliveryId)) return false
    const { at, range } = delivery.due
    const now = monotonicMs()
    queue.deliveries.add(delivery, now)
    if (range) range.loadedCount++
    if (at > now) this.#timers.set(at, queue)
    this.wake(queue)
    return true
  }

  /** Gives the queue a place among those that take turns, if its next delivery can be sent. */
  wake(queue: EndpointQueue): void {
    if (queue.isScheduled) return
    const now = monotonicMs()
    if (now < queue.notBefore && queue.notBeforeTimer !== queue.notBefore) {
      queue.notBeforeTimer = queue.notBefore
      this.#timers.set(queue.notBefore, queue)
    }
    if (!queue.isReady(now)) return
    queue.isScheduled = true
    this.#groupOf(queue).ready.add(queue)
  }

  /** Lets ready queues send in turns, as many requests as one turn of the event loop may start. */
  pump(): void {
    if (!this.#maySend()) return
    for (const group of [this.#quick, this.#slow]) {
      for (; this.#requestsLeft > 0 && group.inFlight < group.maxInFlight; this.#requestsLeft--) {
        const queue = group.ready.take()
        if (!queue) break
        this.#sendNext(queue)
      }
    }
    if (this.#requestsLeft > 0 || this.#nextTurn) return
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined
      this.#requestsLeft = requestsPerTurn
      this.pump()
    })
  }

  /** Ends a request, so that the queue can continue. */
  finish(queue: EndpointQueue, request: StartedRequest): void {
    const { requests } = queue
    this.#setSlow(queue, requests.answersSlowly())
    requests.end(request)
    this.#groupOf(queue).inFlight--
    queue.lastUsedAt = monotonicMs()
    this.wake(queue)
  }

  /** Marks queues as slow whose requests hang. */
  markHanging(): void {
    const before = monotonicMs() - hangingMs
    for (const queue of this.#queues.values())
      if (queue.requests.isAnyOlderThan(before)) this.#setSlow(queue, true)
  }

  stop(): void {
    this.#timers.stop()
    clearImmediate(this.#nextTurn)
  }

  #onTimer(queue: EndpointQueue): void {
    if (!this.includes(queue)) return
    this.wake(queue)
    this.pump()
  }

  #sendNext(queue: EndpointQueue): void {
    queue.isScheduled = false
    const now = monotonicMs()
    const delivery = this.includes(queue) && queue.isReady(now) ? queue.deliveries.take(now) : undefined
    if (!delivery) {
      this.wake(queue)
      return
    }
    const request = queue.requests.start(now)
    this.#groupOf(queue).inFlight++
    queue.lastUsedAt = now
    const maxPerSecond = queue.endpoint?.maxPerSecond ?? null
    if (maxPerSecond !== null)
      queue.notBefore = Math.max(queue.notBefore, now - burstMs) + 1000 / maxPerSecond
    this.#send(queue, delivery, request)
    this.wake(queue)
  }

  #groupOf(queue: EndpointQueue): QueueGroup {
    return queue.requests.isSlow ? this.#slow : this.#quick
  }

  /** Moves a queue and its requests in flight to the other group, which frees the capacity that it used. */
  #setSlow({ requests }: EndpointQueue, isSlow: boolean): void {
    if (requests.isSlow === isSlow) return
    requests.isSlow = isSlow
    const moved = isSlow ? requests.inFlight : -requests.inFlight
    this.#slow.inFlight += moved
    this.#quick.inFlight -= moved
  }
}

function openGroup(maxInFlight: number): QueueGroup {
  return { ready: openFifoQueue(), inFlight: 0, maxInFlight }
}
