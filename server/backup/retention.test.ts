import { expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { expiredBackups, readRetention } from './retention.ts'

const hourMs = 3_600_000
const idAt = (ms: number) =>
  `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${'0'.repeat(8)}`
const retained = (ids: string[], text: string) => {
  const gone = expiredBackups(ids, defined(readRetention(text)))
  return ids.filter(id => !gone.includes(id)).sort()
}
const newest = Date.parse('2026-11-24T12:00:00Z')
/** One backup every six hours for so many days. */
const sixHourly = (days: number) => Array.from({ length: days * 4 }, (_, n) => idAt(newest - n * 6 * hourMs))

test.each(['', '14', 'd', '0d', '0d,0w', '14d,', '14x', '-1d', '1.5d', '99999d'])('refuses %j', text => {
  expect(readRetention(text)).toBeUndefined()
})

test('reads days, weeks and months', () => {
  expect(readRetention('14d, 8w,12m')).toEqual({ days: 14, weeks: 8, months: 12 })
  expect(readRetention('3m')).toEqual({ days: 0, weeks: 0, months: 3 })
})

test('all of the last 24 hours are kept, then the last one of each day', () => {
  expect(retained(sixHourly(10), '3d')).toEqual(
    ['2026-11-24T12', '2026-11-24T06', '2026-11-24T00', '2026-11-23T18', '2026-11-22T18']
      .map(hour => idAt(Date.parse(`${hour}:00:00Z`)))
      .sort(),
  )
})

test('weeks and months reach further back, and days without a backup do not count', () => {
  const ids = sixHourly(100)
  const weekly = retained(ids, '1d,3w').slice(0, 2)
  // the last ones before two Mondays
  expect(weekly.map(id => id.slice(0, 11))).toEqual(['20261115T18', '20261122T18'])
  expect(
    retained(ids, '1d,3m')
      .slice(0, 2)
      .map(id => id.slice(0, 8)),
  ).toEqual(['20260930', '20261031'])
  const rare = [0, 40, 80, 120].map(days => idAt(newest - days * 24 * hourMs))
  expect(retained(rare, '3d')).toHaveLength(3)
})

test('the newest is always kept, and nothing of nothing', () => {
  expect(retained([idAt(newest)], '1m')).toHaveLength(1)
  expect(expiredBackups([], defined(readRetention('1d')))).toEqual([])
})
