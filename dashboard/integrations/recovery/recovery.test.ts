import { expect, test } from 'vitest'
import { progressOf, type Recovery, secondsFor, sinceOf } from './recovery.rules.ts'

const recovery: Recovery = {
  id: 'r',
  kind: 'RECOVERY',
  state: 'RUNNING',
  perSecond: 10,
  total: 212,
  waiting: 53,
  cancelled: 0,
  createdAt: '2026-11-22T12:00:00.000Z',
  cancelledAt: null,
}

test('the progress of a recovery counts what was sent, not what was cancelled', () => {
  expect(progressOf(recovery)).toBe(0.75)
  expect(progressOf({ ...recovery, waiting: 0, cancelled: 106 })).toBe(0.5)
  expect(progressOf({ ...recovery, total: 0, waiting: 0 })).toBe(1)
})

test('the time of a recovery follows from its rate; without a start it takes all that is stored', () => {
  expect(secondsFor(212, 10)).toBe(22)
  expect(secondsFor(0, 10)).toBe(0)
  expect(sinceOf('2026-11-01T00:00:00.000Z', 0, 30)).toBe('2026-11-01T00:00:00.000Z')
  expect(sinceOf(undefined, Date.parse('2026-11-22T12:34:56.000Z'), 30)).toBe('2026-10-23T12:34:00.000Z')
})
