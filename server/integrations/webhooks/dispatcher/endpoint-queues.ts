import { monotonicMs } from '#platform/clock.ts'
import {
  type EndpointQueue,
  isReady,
  isSlow,
  openEndpointQueue,
  openFifoQueue,
  type QueuedDelivery,
  takeNext,
  waitingCount,
} from './endpoint-queue.ts'
import { insertInSequence, isInSequence } from './ordered-queue.ts'
import { openTimerHeap, type TimerHeap } from './timer-heap.ts'

/** All endpoint queues of this process, which take turns to send. */
export type EndpointQueues = {
  all(): Iterable<EndpointQueue>
  find(applicationId: string): EndpointQueue | undefined
  /** Returns the queue of an application, and creates it if needed. */
  open(key: Pick<EndpointQueue, 'organizationId' | 'applicationId' | 'shard'>): EndpointQueue
  /** Adds a delivery that is sent when it is due. False if the queue already has it. */
  add(queue: EndpointQueue, delivery: QueuedDelivery): boolean
  /** Adds the retry of a delivery whose last attempt is recorded. */
  addRetry(queue: EndpointQueue, delivery: QueuedDelivery): void
  /** Ends a request, so that the queue can continue. */
  finish(queue: EndpointQueue, request: { at: number }): void
  /** Lets every ready queue send. */
  pump(): void
  /** Schedules a queue that may be ready again. */
  wake(queue: EndpointQueue): void
  /** Marks queues as slow whose requests hang. */
  markHanging(): void
  drop(queue: EndpointQueue): void
  inFlight(): number
  stop(): void
}

export type EndpointQueuesOptions = {
  /** Concurrent requests. All slow queues together have a quarter of it in addition. */
  maxInFlight: number
  maySend(): boolean
  send(queue: EndpointQueue, delivery: QueuedDelivery, request: { at: number }): void
}

const hangingMs = 1_000
/** Requests that start in one turn of the event loop, so that responses and the relay are served in between. */
export const requestsPerTurn = 16

/**
 * Round robin: each ready queue sends one delivery and goes to the end. A queue at its limit waits for its own requests
 * and does not block others. Slow queues never use the capacity of quick ones.
 */
export function openEndpointQueues({ maxInFlight, maySend, send }: EndpointQueuesOptions): EndpointQueues {
  const queues = new Map<string, EndpointQueue>()
  const ready = openFifoQueue<EndpointQueue>()
  const slowReady = openFifoQueue<EndpointQueue>()
  const maxSlowInFlight = Math.max(1, Math.floor(maxInFlight / 4))
  let quickInFlight = 0
  let slowInFlight = 0
  let turnsLeft = requestsPerTurn
  let nextTurn: NodeJS.Immediate | undefined
  const timers: TimerHeap<{ queue: EndpointQueue; generation?: number; delivery?: QueuedDelivery }> =
    openTimerHeap(({ queue, delivery, generation }) => {
      if (queues.get(queue.applicationId) !== queue) return
      if (!delivery) queue.isPaceTimerSet = false
      else if (generation === queue.generation) enqueue(queue, delivery)
      wake(queue)
      pump()
    })

  function enqueue(queue: EndpointQueue, delivery: QueuedDelivery): void {
    if (delivery.retries > 0) queue.retryQueue.add(delivery)
    else queue.firstAttempts.add(delivery)
  }
  function addInSequence(queue: EndpointQueue, delivery: QueuedDelivery): void {
    insertInSequence(queue, delivery)
    if (delivery.dueAt > monotonicMs()) timers.set(delivery.dueAt, { queue })
  }
  function wake(queue: EndpointQueue): void {
    if (queue.isScheduled || waitingCount(queue) === 0) return
    const at = monotonicMs()
    if (at < queue.notBefore) {
      if (!queue.isPaceTimerSet) timers.set(queue.notBefore, { queue })
      queue.isPaceTimerSet = true
      return
    }
    if (!isReady(queue, at)) return
    queue.isScheduled = true
    ;(queue.isSlow ? slowReady : ready).add(queue)
  }
  function sendNext(queue: EndpointQueue): void {
    queue.isScheduled = false
    const at = monotonicMs()
    if (queues.get(queue.applicationId) !== queue || !isReady(queue, at)) {
      wake(queue)
      return
    }
    const delivery = takeNext(queue, at)!
    const request = { at }
    queue.startedRequests.add(request)
    delivery.isSent = true
    queue.inFlight++
    queue.lastUsedAt = at
    if (queue.isSlow) slowInFlight++
    else quickInFlight++
    const { maxPerSecond = null } = queue.endpoint ?? {}
    // allows a short burst after idle time
    if (maxPerSecond !== null) queue.notBefore = Math.max(queue.notBefore, at - 50) + 1000 / maxPerSecond
    send(queue, delivery, request)
    wake(queue)
  }
  function pump(): void {
    if (!maySend()) return
    for (; turnsLeft > 0 && quickInFlight < maxInFlight; turnsLeft--) {
      const queue = ready.take()
      if (!queue) break
      sendNext(queue)
    }
    for (; turnsLeft > 0 && slowInFlight < maxSlowInFlight; turnsLeft--) {
      const queue = slowReady.take()
      if (!queue) break
      sendNext(queue)
    }
    if (turnsLeft > 0 || nextTurn) return
    nextTurn = setImmediate(() => {
      nextTurn = undefined
      turnsLeft = requestsPerTurn
      pump()
    })
  }
  /** Moves a queue with its requests in flight between the quick and the slow group, which frees the capacity it used. */
  function setSlow(queue: EndpointQueue, slow: boolean): void {
    if (queue.isSlow === slow) return
    queue.isSlow = slow
    const moved = slow ? queue.inFlight : -queue.inFlight
    slowInFlight += moved
    quickInFlight -= moved
  }

  return {
    all: () => queues.values(),
    find: applicationId => queues.get(applicationId),
    open(key) {
      const queue = queues.get(key.applicationId) ?? openEndpointQueue(key, monotonicMs())
      queues.set(key.applicationId, queue)
      return queue
    },
    add(queue, delivery) {
      if (queue.loaded.has(delivery.deliveryId)) return false
      queue.loaded.set(delivery.deliveryId, delivery)
      if (delivery.range) delivery.range.loadedCount++
      if (isInSequence(queue, delivery)) addInSequence(queue, delivery)
      else if (delivery.dueAt > monotonicMs())
        timers.set(delivery.dueAt, { queue, delivery, generation: queue.generation })
      else enqueue(queue, delivery)
      wake(queue)
      return true
    },
    addRetry(queue, delivery) {
      queue.loaded.set(delivery.deliveryId, delivery)
      if (isInSequence(queue, delivery)) addInSequence(queue, delivery)
      else timers.set(delivery.dueAt, { queue, delivery, generation: queue.generation })
    },
    finish(queue, request) {
      setSlow(queue, isSlow(queue))
      queue.startedRequests.delete(request)
      queue.inFlight--
      if (queue.isSlow) slowInFlight--
      else quickInFlight--
      queue.lastUsedAt = monotonicMs()
      wake(queue)
    },
    pump,
    wake,
    markHanging() {
      const before = monotonicMs() - hangingMs
      for (const queue of queues.values()) {
        const [oldest] = queue.startedRequests
        if (oldest && oldest.at < before) setSlow(queue, true)
      }
    },
    drop(queue) {
      if (queues.get(queue.applicationId) !== queue) return
      queues.delete(queue.applicationId)
      queue.retryQueue.clear()
      queue.firstAttempts.clear()
      queue.client?.close()
    },
    inFlight: () => quickInFlight + slowInFlight,
    stop() {
      timers.stop()
      clearImmediate(nextTurn)
    },
  }
}
