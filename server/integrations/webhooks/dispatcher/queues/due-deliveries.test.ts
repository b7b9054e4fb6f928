import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DueDelivery, NextAttempt } from '../../due-delivery.ts'
import { DueDeliveries } from './due-deliveries.ts'

const delivery = (n: number, due: Partial<NextAttempt> = {}): DueDelivery => ({
  organizationId: 'o',
  applicationId: 'a',
  shard: 1,
  deliveryId: String(n).padStart(4, '0'),
  event: 'E',
  about: {},
  body: '{}',
  due: { range: null, attempt: 1, retries: 0, trigger: 'AUTOMATIC', at: 0, ...due },
})

it('returns each delivery once it is due, retries before first attempts', () => {
  const added = fc.array(fc.record({ retries: fc.nat(1), at: fc.nat(100) }), { maxLength: 50 })
  fc.assert(
    fc.property(added, schedule => {
      const deliveries = new DueDeliveries()
      for (const [n, due] of schedule.entries()) deliveries.add(delivery(n, due), 0)
      const taken: string[] = []
      for (const now of [0, 25, 50, 75, 100]) {
        const due = schedule.filter(({ at }, n) => at <= now && !taken.includes(delivery(n).deliveryId))
        expect(deliveries.dueCount(now)).toBe(due.length)
        const retries: boolean[] = []
        for (let next = deliveries.take(now); next; next = deliveries.take(now)) {
          expect(next.due.at).toBeLessThanOrEqual(now)
          taken.push(next.deliveryId)
          retries.push(next.due.retries > 0)
        }
        expect(retries).toHaveLength(due.length)
        expect(retries).toEqual(retries.toSorted((a, b) => Number(b) - Number(a)))
      }
      expect(new Set(taken).size).toBe(schedule.length)
      expect(deliveries.size).toBe(schedule.length)
      for (const id of taken) deliveries.remove(id)
      expect(deliveries.size).toBe(0)
    }),
  )
})

it('an ordered endpoint gets the next delivery when the one before has ended, in the order of their ids', () => {
  const deliveries = new DueDeliveries()
  deliveries.setOrdered(true)
  for (const n of [3, 1, 2]) deliveries.add(delivery(n), 0)
  expect(deliveries.take(0)?.deliveryId).toBe('0001')
  expect(deliveries.isAnyDue(0)).toBe(false)
  deliveries.unblock('0001')
  expect(deliveries.take(0)?.deliveryId).toBe('0002')
  deliveries.remove('0002')
  deliveries.add(delivery(2, { retries: 1, at: 50 }), 0)
  expect(deliveries.isAnyDue(49)).toBe(false)
  // a manual retry does not wait for the others
  deliveries.add(delivery(9, { trigger: 'MANUAL', at: 20 }), 0)
  expect(deliveries.take(49)?.deliveryId).toBe('0009')
  expect(deliveries.take(49)).toBeUndefined()
  expect(deliveries.take(50)?.deliveryId).toBe('0002')
})

it('a new sequence awaits the deliveries that were taken before', () => {
  const deliveries = new DueDeliveries()
  for (const n of [1, 2, 3]) deliveries.add(delivery(n), 0)
  deliveries.take(0)
  deliveries.take(0)
  deliveries.dropWaiting()
  deliveries.setOrdered(true)
  deliveries.add(delivery(3), 0)
  deliveries.remove('0001')
  expect(deliveries.isAnyDue(0)).toBe(false)
  deliveries.unblock('0002')
  expect(deliveries.take(0)?.deliveryId).toBe('0003')
})

it('keeps taken deliveries when waiting ones are dropped', () => {
  const deliveries = new DueDeliveries()
  for (const n of [1, 2]) deliveries.add(delivery(n), 0)
  deliveries.add(delivery(3, { at: 10 }), 0)
  deliveries.take(0)
  deliveries.dropWaiting()
  expect(deliveries.ids()).toEqual(['0001'])
  expect(deliveries.isAnyDue(10)).toBe(false)
})
