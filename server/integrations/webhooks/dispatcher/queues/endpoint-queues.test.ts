import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openHttpClient } from '#platform/adapters/http-client/post.ts'
import { firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import type { DueDelivery, NextAttempt } from '../../due-delivery.ts'
import { loadPortions } from '../loading/loader.ts'
import { signingKey } from '../sending/sign.ts'
import { EndpointQueue } from './endpoint-queue.ts'
import { EndpointQueues, requestsPerTurn } from './endpoint-queues.ts'
import { openFifoQueue } from './fifo-queue.ts'
import { initialConcurrency, maxConcurrency, RequestLimit, type StartedRequest } from './request-limit.ts'
import { openTimerHeap } from './timer-heap.ts'

const place = (applicationId: string) => ({ organizationId: 'o', applicationId, shard: 1 })
const delivery = (queue: EndpointQueue, n: number, due: Partial<NextAttempt> = {}): DueDelivery => ({
  ...place(queue.applicationId),
  deliveryId: `${queue.applicationId}-${n}`,
  event: 'E',
  about: {},
  body: '{}',
  due: { range: null, attempt: 1, retries: 0, trigger: 'AUTOMATIC', at: 0, ...due },
})
const http = openHttpClient({ connectMs: 1, timeoutMs: 1, readBytes: 1, storedBytes: 1 })
const endpoint: EndpointQueue['endpoint'] = {
  url: new URL('http://a.test/'),
  path: '/',
  client: http.open('http://a.test'),
  scopes: new Set(),
  maxPerSecond: null,
  isFailing: false,
  fingerprint: '',
  signers: { current: { id: 's', key: signingKey('s'), standardKey: undefined }, next: undefined },
}

const turn = () => setImmediate()

type Sent = { queue: EndpointQueue; delivery: DueDelivery; request: StartedRequest }
function open(
  cap: number,
  options: { mayWork?: () => boolean } = {},
): { queues: EndpointQueues; sent: Sent[] } {
  const sent: Sent[] = []
  const queues = new EndpointQueues({
    maxInFlight: cap,
    maySend: options.mayWork ?? (() => true),
    send: (queue, one, request) => void sent.push({ queue, delivery: one, request }),
  })
  return { queues, sent }
}
function queueWith(queues: EndpointQueues, name: string, count: number): EndpointQueue {
  const queue = queues.open(place(name))
  queue.endpoint = endpoint
  for (let n = 0; n < count; n++) queues.add(queue, delivery(queue, n))
  return queue
}

describe('turns', () => {
  it('are round robin: a queue with many deliveries gets only its share', () => {
    const { queues, sent } = open(9)
    queueWith(queues, 'much', 1_000)
    queueWith(queues, 'b', 2)
    queueWith(queues, 'c', 2)
    queues.pump()
    const turns = sent.map(({ queue }) => queue.applicationId)
    expect(turns.slice(0, 6)).toEqual(['much', 'b', 'c', 'much', 'b', 'c'])
    expect(turns).toHaveLength(9)
    expect(queues.inFlight()).toBe(9)
  })

  it('a queue at its limit waits for its own requests and blocks no other', () => {
    const { queues, sent } = open(100)
    const full = queueWith(queues, 'full', 50)
    queues.pump()
    expect(sent).toHaveLength(initialConcurrency)
    queueWith(queues, 'other', 3)
    queues.pump()
    expect(sent).toHaveLength(initialConcurrency + 3)
    queues.finish(full, firstOf(sent).request)
    queues.pump()
    expect(sent).toHaveLength(initialConcurrency + 4)
  })

  it('a queue whose endpoint must be read first waits for it', () => {
    const { queues, sent } = open(100)
    const queue = queueWith(queues, 'a', 0)
    queue.isEndpointStale = true
    queues.add(queue, delivery(queue, 1))
    queues.pump()
    expect(sent).toEqual([])
    queue.isEndpointStale = false
    queues.wake(queue)
    queues.pump()
    expect(sent).toHaveLength(1)
  })

  it('retries go before new deliveries, and each waits until it is due', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { queues, sent } = open(1)
      const queue = queueWith(queues, 'a', 3)
      queues.add(queue, delivery(queue, 9, { retries: 1, attempt: 2 }))
      queues.add(queue, delivery(queue, 10, { retries: 1, attempt: 2, at: performance.now() + 1_000 }))
      queues.pump()
      for (let at = 0; at < 5; at++) {
        if (sent[at]) queues.finish(queue, itemAt(sent, at).request)
        queues.pump()
      }
      expect(sent.map(one => one.delivery.deliveryId)).toEqual(['a-9', 'a-0', 'a-1', 'a-2'])
      vi.advanceTimersByTime(998)
      expect(sent).toHaveLength(4)
      vi.advanceTimersByTime(10)
      expect(lastOf(sent).delivery.deliveryId).toBe('a-10')
    } finally {
      vi.useRealTimers()
    }
  })

  it('hanging queues get a quarter of the capacity and free what they used', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    try {
      const { queues, sent } = open(16)
      const hung = ['h1', 'h2'].map(name => queueWith(queues, name, 100))
      queues.pump()
      expect(sent).toHaveLength(16)
      queueWith(queues, 'quick', 5)
      queues.pump()
      expect(sent).toHaveLength(16)
      now = 1_500
      queues.markHanging()
      await turn()
      expect(hung.every(({ requests }) => requests.isSlow)).toBe(true)
      expect(sent.slice(16).map(({ queue }) => queue.applicationId)).toEqual(Array(5).fill('quick'))
      // at most four of the hanging ones continue
      for (const one of sent.slice(0, 16)) {
        one.queue.requests.averageMs = 10_000
        queues.finish(one.queue, one.request)
      }
      queues.pump()
      await turn()
      expect(sent.slice(21)).toHaveLength(4)
    } finally {
      clock.mockRestore()
    }
  })

  it('sends in several turns, so that other work runs in between', async () => {
    const { queues, sent } = open(100)
    for (let n = 0; n < 10; n++) queueWith(queues, `a${n}`, 5)
    queues.pump()
    queues.pump()
    expect(sent).toHaveLength(requestsPerTurn)
    await turn()
    expect(sent).toHaveLength(2 * requestsPerTurn)
    for (let n = 0; n < 3; n++) await turn()
    expect(sent).toHaveLength(50)
  })

  it('sends nothing while sending is not allowed, and adds nothing twice', () => {
    let may = false
    const { queues, sent } = open(10, { mayWork: () => may })
    const queue = queueWith(queues, 'a', 2)
    expect(queues.add(queue, delivery(queue, 1))).toBe(false)
    queues.pump()
    expect(sent).toEqual([])
    may = true
    queues.pump()
    expect(sent).toHaveLength(2)
  })
})

describe('the concurrency', () => {
  it('grows with successes to its maximum, halves with timeouts, and is one after five failed connections', () => {
    const requests = new RequestLimit()
    const succeed = (times: number) => {
      for (let n = 0; n < times; n++) {
        while (requests.inFlight < requests.concurrency - 1) requests.start(0)
        requests.adapt('DELIVERED', 204, 5)
      }
    }
    succeed(8)
    expect(requests.concurrency).toBe(9)
    succeed(5_000)
    expect(requests.concurrency).toBe(maxConcurrency)
    requests.adapt('TIMEOUT', null, 10_000)
    expect(requests.concurrency).toBe(32)
    requests.adapt('HTTP_STATUS', 429, 5)
    expect(requests.concurrency).toBe(16)
    for (let n = 0; n < 5; n++) requests.adapt('CONNECT', null, 1)
    expect(requests.concurrency).toBe(1)
    requests.averageMs = 1
    succeed(1)
    expect(requests.concurrency).toBe(2)
  })
  it('does not grow without use', () => {
    const requests = new RequestLimit()
    for (let n = 0; n < 100; n++) requests.adapt('DELIVERED', 204, 5)
    expect(requests.concurrency).toBe(initialConcurrency)
  })
})

it('a FIFO queue returns its values in order for any mixture of adding and taking', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 5_000 }), adds => {
      const queue = openFifoQueue<number>()
      const model: number[] = []
      for (const [n, isAdd] of adds.entries()) {
        if (isAdd) {
          queue.add(n)
          model.push(n)
        } else expect(queue.take()).toBe(model.shift())
        expect(queue.size()).toBe(model.length)
      }
    }),
    { numRuns: 50 },
  )
})

describe('the timer heap', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())
  it('fires each value at its time or within 3 ms, never early, in any order of setting', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 5_000, noNaN: true }), { maxLength: 200 }), waits => {
        const rang: [at: number, due: number][] = []
        const alarm = openTimerHeap<number>(due => void rang.push([performance.now(), due]))
        const start = performance.now()
        for (const wait of waits) alarm.set(start + wait, start + wait)
        vi.advanceTimersByTime(5_010)
        expect(rang).toHaveLength(waits.length)
        for (const [at, due] of rang) {
          expect(at).toBeGreaterThanOrEqual(due)
          expect(at - due).toBeLessThan(3)
        }
        expect(alarm.size()).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})

describe('loading', () => {
  const queues = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const queue = new EndpointQueue(place(`a${n}`), 0)
      queue.endpoint = endpoint
      queue.progress.lastLoadedAt = -n
      return queue
    })
  const addWaiting = (queue: EndpointQueue, count: number, due: Partial<NextAttempt> = {}) => {
    for (let n = 0; n < count; n++) queue.deliveries.add(delivery(queue, n, due), 0)
  }
  it('is bounded for any number of queues, and those that waited longest come first', () => {
    const many = queues(2_000)
    const requested = loadPortions(many)
    expect(requested).toHaveLength(500)
    expect(firstOf(requested).queue).toBe(many.at(-1))
    expect(requested.every(({ limit }) => limit === 32)).toBe(true)
    for (const queue of many) addWaiting(queue, 10)
    expect(loadPortions(many)).toEqual([])
    for (const queue of many.slice(0, 100)) queue.deliveries.dropWaiting()
    expect(loadPortions(many).reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(1_000)
    expect(loadPortions(many)).toHaveLength(500)
  })
  it('skips queues that are paused, fully loaded or have enough due; retries that wait do not count', () => {
    const [paused, complete, full, retrying, loading] = queues(5) as [
      EndpointQueue,
      EndpointQueue,
      EndpointQueue,
      EndpointQueue,
      EndpointQueue,
    ]
    paused.endpoint = undefined
    complete.progress.begin()
    complete.progress.end()
    addWaiting(full, 16)
    addWaiting(retrying, 16, { retries: 1, at: performance.now() + 60_000 })
    const chosen = loadPortions([paused, complete, full, retrying, loading])
    expect(chosen.map(({ queue }) => queue)).toEqual([retrying, loading])
    complete.progress.recheck(0, true)
    expect(loadPortions([paused, complete, full]).map(({ queue }) => queue)).toEqual([complete])
  })
})
