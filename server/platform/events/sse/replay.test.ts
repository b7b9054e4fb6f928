import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newId } from '#platform/ids.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { numbered, numbers, openStreamHarness, range } from '#tests/support/stream-harness.ts'
import type { Heads } from '../signal.ts'

const stage = openStreamHarness()
/** Holds up the question who may hear events. */
function gated() {
  let passage: PromiseWithResolvers<void> | undefined
  let held = 0
  let isShut = false
  return {
    async pass() {
      if (!isShut) return
      held++
      await defined(passage).promise
    },
    shut() {
      passage = Promise.withResolvers()
      isShut = true
    },
    letOthersPass() {
      isShut = false
    },
    open() {
      isShut = false
      defined(passage).resolve()
    },
    held: () => held,
  }
}

it('replays missed events in pages, and continues without a gap or a repetition', async () => {
  const app = await stage.start()
  const organizationId = newId()
  let n = 0
  const emitBatches = async (count: number) => {
    for (let batch = 0; batch < count; batch++) {
      n += 10
      await stage.emit(organizationId, range(n - 9, n))
    }
  }
  const live = await stage.stream(app, { organizationId })
  await emitBatches(45)
  await live.until(numbered(450))
  // more events are emitted the whole time while twenty clients come back with different cursors
  const emitting = emitBatches(60)
  const streams = await Promise.all(
    range(0, 19).map(async index => {
      await sleep(index * 7)
      const cursor = index * 20
      const opened = await openStream(
        app.address({ organizationId, ...(index % 2 === 0 && { lastEventId: cursor }) }),
        index % 2 === 1 ? { 'Last-Event-ID': `${cursor}` } : {},
      )
      return { opened, cursor }
    }),
  )
  await emitting
  for (const { opened, cursor } of streams) {
    await opened.until(numbered(n))
    expect(numbers(opened)).toEqual(range(cursor + 1, n))
    expect(opened.events().map(({ id }) => Number(id))).toEqual(range(cursor + 1, n))
  }
})

it('misses no event that is delivered during the last page of a replay', async () => {
  const gate = gated()
  const app = await stage.start({ audienceDelay: gate.pass })
  const organizationId = newId()
  const live = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, [1, 2, 3])
  await live.until(numbered(3))
  gate.shut()
  const heldBack = await stage.stream(app, { organizationId, lastEventId: 0 })
  await expect.poll(() => gate.held()).toBe(1)
  gate.letOthersPass()
  await stage.emit(organizationId, [4])
  await live.until(numbered(4))
  gate.open()
  await stage.emit(organizationId, [5])
  await heldBack.until(numbered(5))
  expect(numbers(heldBack)).toEqual(range(1, 5))
})

it('prefers the header to the URL, and lets a client without events resume at its start', async () => {
  const app = await stage.start()
  const organizationId = newId()
  await stage.emit(organizationId, [1, 2])
  const first = await stage.stream(app, { organizationId })
  await expect
    .poll(async () => (await stage.stream(app, { organizationId, lastEventId: 0 })).until(numbered(2)))
    .toBeTruthy()
  const firstId = defined(firstOf(first.frames).id)
  first.close()
  await stage.emit(organizationId, [3])
  const again = await stage.stream(app, { organizationId, lastEventId: 1 }, { 'Last-Event-ID': firstId })
  await again.until(numbered(3))
  expect(numbers(again)).toEqual(range(Number(firstId) + 1, 3))
})

it('sends resync once if the cursor is too old or unknown, and continues live', async () => {
  const app = await stage.start()
  const organizationId = newId()
  await stage.emit(organizationId, range(1, 10))
  await (await stage.stream(app, { organizationId, lastEventId: 0 })).until(numbered(10))
  await stage.age(organizationId, 6)
  const cases = [
    ['3', 'expired'],
    ['5', 'expired'],
    ['11', 'unknown'],
    ['abc', 'unknown'],
    ['-1', 'unknown'],
    ['1e1', 'unknown'],
  ] as const
  const streams = await Promise.all(
    cases.map(([lastEventId]) => stage.stream(app, { organizationId, lastEventId })),
  )
  const whole = await stage.stream(app, { organizationId, lastEventId: 6 })
  await stage.emit(organizationId, [11])
  for (const [index, opened] of streams.entries()) {
    await opened.until(numbered(11))
    expect(numbers(opened)).toEqual([11])
    const resyncs = opened.frames.filter(({ event }) => event === 'resync')
    expect(resyncs).toEqual([{ event: 'resync', data: { reason: defined(cases[index])[1] } }])
    expect(firstOf(opened.frames).id).toBe('10')
  }
  await whole.until(numbered(11))
  expect(numbers(whole)).toEqual(range(7, 11))
  expect(whole.frames.some(({ event }) => event === 'resync')).toBe(false)
})

it('sends resync if events are deleted during a replay', async () => {
  const gate = gated()
  const app = await stage.start({ audienceDelay: gate.pass })
  const organizationId = newId()
  const live = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, range(1, 450))
  await live.until(numbered(450))
  gate.shut()
  const opened = await stage.stream(app, { organizationId, lastEventId: 0 })
  await expect.poll(() => gate.held()).toBe(1)
  await stage.age(organizationId, 300)
  gate.open()
  await opened.until(({ event }) => event === 'resync')
  await stage.emit(organizationId, [451])
  await opened.until(numbered(451))
  expect(numbers(opened)).toEqual([...range(1, 200), 451])
})

it('sends resync only to subscribers that have not passed the gap', async () => {
  let hear = (_: Heads) => {}
  const deaf = { changed() {}, announce() {}, onChanged: async () => {}, onReconnect() {} }
  const onAnnounced = async (act: typeof hear) => {
    hear = act
  }
  const app = await stage.start({ pollMs: 1e6, signal: { ...stage.signal, ...deaf, onAnnounced } })
  const organizationId = newId()
  const behind = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, range(1, 10))
  await (await stage.stream(await stage.start(), { organizationId, lastEventId: 0 })).until(numbered(10))
  await stage.age(organizationId, 6)
  const ahead = await stage.stream(app, { organizationId, lastEventId: 7 })
  await ahead.until(numbered(10))
  hear(new Map([[organizationId, 10]]))
  await behind.until(numbered(10))
  await stage.emit(organizationId, [11])
  await (await stage.stream(await stage.start(), { organizationId, lastEventId: 10 })).until(numbered(11))
  hear(new Map([[organizationId, 11]]))
  await Promise.all([behind, ahead].map(opened => opened.until(numbered(11))))
  expect(behind.frames.filter(({ event }) => event === 'resync')).toHaveLength(1)
  expect(numbers(behind)).toEqual(range(7, 11))
  expect(ahead.frames.filter(({ event }) => event === 'resync')).toEqual([])
  expect(numbers(ahead)).toEqual(range(8, 11))
})
