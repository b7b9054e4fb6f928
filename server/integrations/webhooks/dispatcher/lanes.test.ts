import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openAlarm } from './alarm.ts'
import { adapt, firstWidth, type Item, type Lane, mostWidth, openLane, openQueue } from './lane.ts'
import { atOnce, type Lanes, openLanes } from './lanes.ts'
import { portions } from './loading/loader.ts'
import { signingKey } from './sign.ts'

const place = (applicationId: string) => ({ organizationId: 'o', applicationId, shard: 1 })
const item = (lane: Lane, n: number, given: Partial<Item> = {}): Item => ({
  ...place(lane.applicationId),
  deliveryId: `${lane.applicationId}-${n}`,
  event: 'E',
  about: {},
  body: '{}',
  range: null,
  attempt: 1,
  tries: 0,
  trigger: 'AUTOMATIC',
  dueAt: 0,
  isSent: false,
  ...given,
})
const endpoint: Lane['endpoint'] = {
  url: new URL('http://a.test/'),
  path: '/',
  scopes: new Set(),
  maxPerSecond: null,
  isFailing: false,
  mark: '',
  signers: { current: { id: 's', key: signingKey('s'), standardKey: undefined }, next: undefined },
}

const turn = () => setImmediate()

type Sent = { lane: Lane; item: Item; request: { at: number } }
function open(cap: number, given: { mayWork?: () => boolean } = {}): { lanes: Lanes; sent: Sent[] } {
  const sent: Sent[] = []
  const lanes = openLanes({
    cap,
    mayWork: given.mayWork ?? (() => true),
    send: (lane, one, request) => void sent.push({ lane, item: one, request }),
  })
  return { lanes, sent }
}
function laneWith(lanes: Lanes, name: string, count: number): Lane {
  const lane = lanes.open(place(name))
  lane.endpoint = endpoint
  for (let n = 0; n < count; n++) lanes.add(lane, item(lane, n))
  return lane
}

describe('turns', () => {
  it('go round: one with much waiting takes no more than its share', () => {
    const { lanes, sent } = open(9)
    laneWith(lanes, 'much', 1_000)
    laneWith(lanes, 'b', 2)
    laneWith(lanes, 'c', 2)
    lanes.pump()
    const turns = sent.map(({ lane }) => lane.applicationId)
    expect(turns.slice(0, 6)).toEqual(['much', 'b', 'c', 'much', 'b', 'c'])
    expect(turns).toHaveLength(9)
    expect(lanes.inFlight()).toBe(9)
  })

  it('a full lane waits for its own slot and holds nobody up', () => {
    const { lanes, sent } = open(100)
    const full = laneWith(lanes, 'full', 50)
    lanes.pump()
    expect(sent).toHaveLength(firstWidth)
    laneWith(lanes, 'other', 3)
    lanes.pump()
    expect(sent).toHaveLength(firstWidth + 3)
    lanes.done(full, sent[0]!.request)
    lanes.pump()
    expect(sent).toHaveLength(firstWidth + 4)
  })

  it('a lane whose endpoint must be read first waits for that', () => {
    const { lanes, sent } = open(100)
    const lane = laneWith(lanes, 'a', 0)
    lane.isStale = true
    lanes.add(lane, item(lane, 1))
    lanes.pump()
    expect(sent).toEqual([])
    lane.isStale = false
    lanes.wake(lane)
    lanes.pump()
    expect(sent).toHaveLength(1)
  })

  it('what failed before goes before what is new, and each waits until it is due', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { lanes, sent } = open(1)
      const lane = laneWith(lanes, 'a', 3)
      lanes.add(lane, item(lane, 9, { tries: 1, attempt: 2 }))
      lanes.add(lane, item(lane, 10, { tries: 1, attempt: 2, dueAt: performance.now() + 1_000 }))
      lanes.pump()
      for (let at = 0; at < 5; at++) {
        if (sent[at]) lanes.done(lane, sent[at]!.request)
        lanes.pump()
      }
      expect(sent.map(one => one.item.deliveryId)).toEqual(['a-9', 'a-0', 'a-1', 'a-2'])
      vi.advanceTimersByTime(998)
      expect(sent).toHaveLength(4)
      vi.advanceTimersByTime(10)
      expect(sent.at(-1)!.item.deliveryId).toBe('a-10')
    } finally {
      vi.useRealTimers()
    }
  })

  it('lanes that hang have a quarter beside the others, and free what they took', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    try {
      const { lanes, sent } = open(16)
      const hung = ['h1', 'h2'].map(name => laneWith(lanes, name, 100))
      lanes.pump()
      expect(sent).toHaveLength(16)
      laneWith(lanes, 'quick', 5)
      lanes.pump()
      expect(sent).toHaveLength(16)
      now = 1_500
      lanes.watch()
      await turn()
      expect(hung.every(({ isSlow }) => isSlow)).toBe(true)
      expect(sent.slice(16).map(({ lane }) => lane.applicationId)).toEqual(Array(5).fill('quick'))
      // of the hung ones at most four go on
      for (const one of sent.slice(0, 16)) {
        one.lane.meanMs = 10_000
        lanes.done(one.lane, one.request)
      }
      lanes.pump()
      await turn()
      expect(sent.slice(21)).toHaveLength(4)
    } finally {
      clock.mockRestore()
    }
  })

  it('not all that may be sent goes at once: the process looks at what else there is in between', async () => {
    const { lanes, sent } = open(100)
    for (let n = 0; n < 10; n++) laneWith(lanes, `a${n}`, 5)
    lanes.pump()
    lanes.pump()
    expect(sent).toHaveLength(atOnce)
    await turn()
    expect(sent).toHaveLength(2 * atOnce)
    for (let n = 0; n < 3; n++) await turn()
    expect(sent).toHaveLength(50)
  })

  it('nothing is sent while it may not be, and nothing is taken in hand twice', () => {
    let may = false
    const { lanes, sent } = open(10, { mayWork: () => may })
    const lane = laneWith(lanes, 'a', 2)
    expect(lanes.add(lane, item(lane, 1))).toBe(false)
    lanes.pump()
    expect(sent).toEqual([])
    may = true
    lanes.pump()
    expect(sent).toHaveLength(2)
  })
})

describe('the width', () => {
  const lane = () => Object.assign(openLane(place('a'), 0), { endpoint })
  it('grows with successes to its end, halves with timeouts, and is one after five refusals', () => {
    const one = lane()
    const succeed = (times: number) => {
      for (let n = 0; n < times; n++) {
        one.inFlight = one.width - 1
        adapt(one, 'DELIVERED', 204, 5)
      }
    }
    succeed(8)
    expect(one.width).toBe(9)
    succeed(5_000)
    expect(one.width).toBe(mostWidth)
    adapt(one, 'TIMEOUT', null, 10_000)
    expect(one.width).toBe(32)
    adapt(one, 'HTTP_STATUS', 429, 5)
    expect(one.width).toBe(16)
    for (let n = 0; n < 5; n++) adapt(one, 'CONNECT', null, 1)
    expect(one.width).toBe(1)
    one.meanMs = 1
    succeed(1)
    expect(one.width).toBe(2)
  })
  it('does not grow for who does not use it', () => {
    const one = lane()
    for (let n = 0; n < 100; n++) adapt(one, 'DELIVERED', 204, 5)
    expect(one.width).toBe(firstWidth)
  })
})

it('a queue gives what was put in, in order, over any mixture of both', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 5_000 }), adds => {
      const queue = openQueue<number>()
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

describe('the alarm', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())
  it('rings each at its time or within 3 ms after it, never before, however they were set', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 5_000, noNaN: true }), { maxLength: 200 }), waits => {
        const rang: [at: number, due: number][] = []
        const alarm = openAlarm<number>(due => void rang.push([performance.now(), due]))
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

describe('what is asked for', () => {
  const lanes = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      Object.assign(openLane(place(`a${n}`), 0), { endpoint, loadedAt: -n }),
    )
  it('is bounded, however many lanes have work, and those come first that waited longest', () => {
    const many = lanes(2_000)
    const asked = portions(many)
    expect(asked).toHaveLength(500)
    expect(asked[0]!.lane).toBe(many.at(-1))
    expect(asked.every(({ most }) => most === 32)).toBe(true)
    for (const lane of many)
      for (let n = 0; n < 10; n++) lane.inHand.set(`${lane.applicationId}-${n}`, item(lane, n))
    expect(portions(many)).toEqual([])
    for (const lane of many.slice(0, 100)) lane.inHand.clear()
    expect(portions(many).reduce((sum, { most }) => sum + most, 0)).toBeLessThanOrEqual(1_000)
    expect(portions(many)).toHaveLength(500)
  })
  it('is nothing for a lane that is held, complete or has enough', () => {
    const [held, complete, full, hungry] = lanes(4) as [Lane, Lane, Lane, Lane]
    held.endpoint = undefined
    complete.isComplete = true
    for (let n = 0; n < 16; n++) full.firsts.add(item(full, n))
    expect(portions([held, complete, full, hungry]).map(({ lane }) => lane)).toEqual([hungry])
    complete.isDoubted = true
    expect(portions([held, complete, full]).map(({ lane }) => lane)).toEqual([complete])
  })
})
