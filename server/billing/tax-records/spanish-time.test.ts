import { expect, test } from 'vitest'
import { spanishTime } from './spanish-time.ts'

test.each([
  ['2026-01-31T23:30:05.999Z', '2026-02-01T00:30:05+01:00'],
  ['2026-07-01T22:00:00.000Z', '2026-07-02T00:00:00+02:00'],
  // the hour that occurs twice
  ['2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00+01:00'],
])('%s is %s in Spain', (moment, time) => {
  expect(spanishTime(moment)).toBe(time)
})
