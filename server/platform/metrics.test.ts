import { expect, test } from 'vitest'
import { openMetrics, readSometimes, type Samples } from './metrics.ts'

const soon = { everyMs: 0, timeoutMs: 20 }

test('figures are read once by concurrent scrapes, and not again within the interval', async () => {
  let readings = 0
  const read = readSometimes(async () => ++readings, { everyMs: 60_000, timeoutMs: 10_000 })
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  expect(await read()).toBe(1)
})

test('figures that cannot be read are unknown, and read again later', async () => {
  let readings = 0
  const read = readSometimes(async () => {
    if (++readings === 1) throw new Error('no database')
    return readings
  }, soon)
  expect(await read()).toBeUndefined()
  expect(await read()).toBe(2)
})

test('a slow reading neither delays a scrape nor is started twice', async () => {
  let readings = 0
  const slow = Promise.withResolvers<string>()
  const read = readSometimes(() => {
    readings++
    return slow.promise
  }, soon)
  expect(await Promise.all([read(), read()])).toEqual([undefined, undefined])
  expect(await read()).toBeUndefined()
  slow.resolve('late')
  expect(await read()).toBe('late')
  expect(readings).toBe(1)
})

test('a gauge shows what is known, and forgets labels that are gone', async () => {
  const metrics = openMetrics()
  let one: Samples
  let many: Samples
  metrics.gauge('one', 'a number', () => one)
  metrics.gauge('many', 'some numbers', () => many, 'of')
  const shown = async () => (await metrics.text()).split('\n').filter(line => /^(one|many)\b/.test(line))
  expect(await shown()).toEqual([])
  one = 3
  many = new Map([
    ['first', 1],
    ['second', 2],
  ])
  expect(await shown()).toEqual(['one 3', 'many{of="first"} 1', 'many{of="second"} 2'])
  one = undefined
  many = new Map([['second', 4]])
  expect(await shown()).toEqual(['many{of="second"} 4'])
})
