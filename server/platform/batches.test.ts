import { expect, test } from 'vitest'
import { type BatchOptions, openBatches } from './batches.ts'
import { Refusal } from './fail.ts'

/** Batches of numbers that wait until the test lets their handler continue. */
function heldBatches(options: Partial<BatchOptions<number, string>> = {}) {
  const handled: number[][] = []
  const gate = Promise.withResolvers<void>()
  const batches = openBatches<number, string>({
    async handle(items) {
      handled.push([...items])
      await gate.promise
      return items.map(item => `result ${item}`)
    },
    maxBatch: 3,
    maxPending: 10,
    ...options,
  })
  return { batches, handled, open: gate.resolve }
}

test('the calls of a turn are one batch, those that arrive meanwhile the next ones, and each gets its result', async () => {
  const { batches, handled, open } = heldBatches()
  const first = [1, 2].map(batches.add)
  await expect.poll(() => handled).toEqual([[1, 2]])
  const later = [3, 4, 5, 6].map(batches.add)
  expect(batches.pending()).toBe(6)
  expect([1, 6, 7].map(wanted => batches.isAnyPending(item => item === wanted))).toEqual([true, true, false])
  open()
  expect(await Promise.all([...first, ...later])).toEqual([1, 2, 3, 4, 5, 6].map(n => `result ${n}`))
  expect(handled).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('a call beyond the bound is refused, and has room again when others are handled', async () => {
  const { batches, open } = heldBatches({ maxPending: 2 })
  const accepted = [1, 2].map(batches.add)
  await expect(batches.add(3)).rejects.toBeInstanceOf(Refusal)
  open()
  await Promise.all(accepted)
  await expect.poll(() => batches.pending()).toBe(0)
  expect(await batches.add(4)).toBe('result 4')
})

test('a key has one batch at a time, and a blocked key does not block another', async () => {
  const gate = Promise.withResolvers<void>()
  const batches = openBatches<number, string>({
    keyOf: item => (item > 0 ? 'positive' : 'negative'),
    async handle(items, key) {
      if (key === 'negative') await gate.promise
      return items.map(() => key)
    },
    maxBatch: 1,
    maxPending: 10,
    maxConcurrent: 2,
  })
  const blocked = [-1, -2].map(batches.add)
  expect(await Promise.all([1, 2].map(batches.add))).toEqual(['positive', 'positive'])
  expect(batches.pending()).toBeGreaterThanOrEqual(2)
  gate.resolve()
  expect(await Promise.all(blocked)).toEqual(['negative', 'negative'])
})

test('an error reaches every call of its batch, or only the call that caused it', async () => {
  const refuseThree = async (items: readonly number[]) => {
    if (items.includes(3)) throw new Error('three')
    return items.map(String)
  }
  const outcomes = async (options: Partial<BatchOptions<number, string>>) => {
    const { batches } = heldBatches({ handle: refuseThree, maxBatch: 5, ...options })
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(batches.add))
    return results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.message))
  }
  expect(await outcomes({})).toEqual(['three', 'three', 'three', 'three', 'three'])
  expect(await outcomes({ isOfOneItem: () => true })).toEqual(['1', '2', 'three', '4', '5'])
})

test('a shutdown waits for what is collected and for what is handled', async () => {
  const { batches, handled, open } = heldBatches({ collectMs: (_, lastSize) => (lastSize === 0 ? 20 : 0) })
  void batches.add(1)
  const drained = batches.drained()
  expect(handled).toEqual([])
  open()
  await drained
  expect(handled).toEqual([[1]])
  await batches.drained()
})
