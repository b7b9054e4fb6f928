import { expect, test } from 'vitest'
import {
  absoluteTime,
  clockText,
  dayText,
  durationText,
  exactDurationText,
  relativeTime,
} from './time-text.ts'

test('a time is as short as it can be', () => {
  const now = new Date(2026, 10, 22, 12, 0).getTime()
  const at = (...date: [number, number, number, number, number]) => new Date(...date).getTime()
  expect(relativeTime(now - 20_000, now, 'es')).toBe('ahora')
  expect(relativeTime(now - 120_000, now, 'es')).toBe('2 min')
  expect(relativeTime(now + 300_000, now, 'en')).toBe('in 5 min')
  expect(relativeTime(at(2026, 10, 22, 9, 14), now, 'es')).toBe('9:14')
  expect(relativeTime(at(2026, 10, 20, 9, 14), now, 'en')).toBe('Fri')
  expect(relativeTime(at(2026, 10, 3, 9, 14), now, 'en')).toBe('3 Nov')
  expect(relativeTime(at(2025, 10, 3, 9, 14), now, 'en')).toBe('3 Nov 2025')
})

test('a time of day looks like that of a moment', () => {
  expect(clockText(9, 5)).toBe('9:05')
  const morning = new Date(2026, 10, 20, 9, 5).getTime()
  for (const language of ['es', 'en'] as const) {
    expect(absoluteTime(morning, language, 'clock')).toBe(clockText(9, 5))
    expect(absoluteTime(morning, language, 'moment')).toContain(` ${clockText(9, 5)}`)
  }
})

test('a day of the calendar is written in one of three lengths', () => {
  expect(dayText('2026-11-20', 'en')).toBe('20 Nov 2026')
  expect(dayText('2026-11-20', 'es', 'day')).toBe('20 nov')
  expect(dayText('2026-11-20', 'en', 'dayOfWeek')).toBe('Fri 20 Nov')
})

test('a duration in words has one unit', () => {
  expect([0, 0.4, 59, 90, 7_200, 200_000].map(seconds => durationText(seconds, 'en'))).toEqual([
    '0 secs',
    '0.4 secs',
    '59 secs',
    '2 mins',
    '2 hrs',
    '2 days',
  ])
  expect(durationText(3_600, 'es')).toBe('1 h')
})

test('an exact duration has two units from a minute on, and no sixty of the smaller one', () => {
  const exact: [ms: number, text: string][] = [
    [0, '0 ms'],
    [341, '341 ms'],
    [1_240, '1.2 s'],
    [12_400, '12 s'],
    [59_700, '1 min'],
    [200_000, '3 min 20 s'],
    [3_599_800, '1 h'],
    [3_900_000, '1 h 5 min'],
  ]
  expect(exact.map(([ms]) => exactDurationText(ms, 'en'))).toEqual(exact.map(([, text]) => text))
  expect(exactDurationText(1_240, 'es')).toBe('1,2 s')
})
