import { describe, expect, test } from 'vitest'
import type { ErrorSeverity } from '#contract/error-reports/errors.ts'
import { classify } from './classify.ts'
import {
  detectSpike,
  type ErrorLifecycle,
  newLifecycle,
  type Occurrence,
  recordOccurrences,
} from './lifecycle.rules.ts'

const hour = 3_600_000
const start = 500_000 * hour
const at = (ms: number, severity: ErrorSeverity = 'low', occurrences = 1): Occurrence => ({
  atMs: start + ms,
  severity,
  occurrences,
})
function lifecycle(changed: Partial<ErrorLifecycle> = {}): ErrorLifecycle {
  const made = newLifecycle(at(0))
  recordOccurrences(made, [at(0)])
  return Object.assign(made, changed)
}

test.each([
  [{}, 'high', false, 'high'],
  [{ httpStatus: 404 }, 'high', true, undefined],
  [{ statusCode: '422' }, 'critical', true, undefined],
  [{ errorCode: 409 }, 'critical', true, undefined],
  [{ errorCode: 'E_409' }, 'critical', false, 'critical'],
  [{ httpStatus: 408 }, 'critical', false, 'low'],
  [{ httpStatus: 503 }, 'critical', false, 'low'],
  [{ statusCode: 502 }, 'medium', false, 'low'],
  [{ errorCode: '504' }, 'medium', false, 'low'],
  [{ httpStatus: 500, statusCode: 404 }, 'high', false, 'high'],
  [{ httpStatus: 'none', statusCode: 404 }, 'high', true, undefined],
  [{ httpStatus: 600, statusCode: 404.5 }, 'high', false, 'high'],
  [{ httpStatus: true, statusCode: [404] }, 'high', false, 'high'],
] as const)('context %j with severity %s', (context, reported, isDiscarded, severity) => {
  const classification = classify(reported, context as Record<string, unknown>)
  expect(classification.isDiscarded).toBe(isDiscarded)
  if (!classification.isDiscarded) expect(classification.severity).toBe(severity)
})

describe('a lifecycle', () => {
  test('counts and keeps the highest severity', () => {
    const one = lifecycle()
    recordOccurrences(one, [at(1, 'high', 5), at(2, 'medium')])
    expect(one).toMatchObject({ count: 7, severity: 'high', lastMs: start + 2, hourCount: 7, windowCount: 7 })
    const { pastHours } = recordOccurrences(one, [at(hour)])
    expect(one).toMatchObject({ count: 8, hourMs: start + hour, hourCount: 1, windowCount: 1 })
    expect(pastHours).toEqual([{ hourMs: start, count: one.count - 1 }])
  })

  test('reopens after it was resolved, but not for earlier occurrences or within the grace period', () => {
    const resolved = {
      state: 'RESOLVED',
      severity: 'critical',
      resolvedAtMs: start + 100,
      graceUntilMs: start + 200,
    } as const
    const early = lifecycle(resolved)
    expect(recordOccurrences(early, [at(50), at(150), at(200)]).reopened).toBeUndefined()
    expect(early).toMatchObject({ state: 'RESOLVED', count: 4, regressionCount: 0 })
    const result = recordOccurrences(early, [at(201, 'medium'), at(202, 'low')])
    expect(result.reopened).toEqual({ reason: 'REGRESSION', previousState: 'RESOLVED', atMs: start + 201 })
    expect(result.samples[0]).toMatchObject({ at: 0, kind: 'REGRESSION' })
    expect(early).toMatchObject({
      state: 'UNRESOLVED',
      severity: 'medium',
      resolvedAtMs: null,
      regressionCount: 1,
    })
  })

  test('stays silent until the time, until the count, or forever', () => {
    const until = lifecycle({ state: 'SILENCED', silence: 'DATE', silencedUntilMs: start + 100 })
    expect(recordOccurrences(until, [at(99)]).reopened).toBeUndefined()
    expect(recordOccurrences(until, [at(100)]).reopened?.reason).toBe('SILENCE_ENDED')
    const count = lifecycle({ state: 'SILENCED', silence: 'COUNT', silencedUntilCount: 3 })
    expect(recordOccurrences(count, [at(1)]).reopened).toBeUndefined()
    expect(recordOccurrences(count, [at(2)]).reopened?.previousState).toBe('SILENCED')
    expect(count.state).toBe('UNRESOLVED')
    const forever = lifecycle({ state: 'SILENCED', silence: 'FOREVER' })
    expect(recordOccurrences(forever, [at(1, 'low', 1_000)]).reopened).toBeUndefined()
  })

  test('samples the first, twenty per hour, then fewer and fewer', () => {
    const one = newLifecycle(at(0))
    const stored = Array.from({ length: 300 }, (_, n) => recordOccurrences(one, [at(n)]).samples[0]?.kind)
    expect(stored[0]).toBe('FIRST')
    expect(stored.flatMap((kind, n) => (kind === 'RECENT' ? [n + 1] : []))).toEqual([
      ...Array.from({ length: 19 }, (_, n) => n + 2),
      32,
      64,
      128,
      256,
    ])
    expect(recordOccurrences(one, [at(hour)]).samples[0]).toMatchObject({ kind: 'RECENT', slot: 23 })
  })
})

describe('a spike', () => {
  const full = (changed: Partial<ErrorLifecycle> = {}) =>
    lifecycle({ firstMs: start - 48 * hour, windowCount: 0, hourCount: 0, ...changed })
  test('is checked when a window reaches 20, 40, 80, …', () => {
    const one = full()
    const seen = Array.from({ length: 90 }, (_, n) => recordOccurrences(one, [at(n)]).mayBeSpike)
    expect(seen.flatMap((may, n) => (may ? [n + 1] : []))).toEqual([20, 40, 80])
    expect(recordOccurrences(full({ spikedAtMs: start - 1 }), [at(1, 'low', 50)]).mayBeSpike).toBe(false)
    expect(recordOccurrences(full({ spikedAtMs: start - hour }), [at(1, 'low', 50)]).mayBeSpike).toBe(true)
    expect(
      recordOccurrences(full({ state: 'SILENCED', silence: 'FOREVER' }), [at(1, 'low', 50)]).mayBeSpike,
    ).toBe(false)
    expect(
      recordOccurrences(full({ state: 'SILENCED', silence: 'SPIKE' }), [at(1, 'low', 50)]).mayBeSpike,
    ).toBe(true)
  })
  test.each([
    ['20 after a day without occurrences', 20, [], 48, true],
    ['19 are below the minimum', 19, [], 48, false],
    ['20 with a baseline of 24 per hour, which is 2 per window', 20, Array(24).fill(24), 48, true],
    ['20 with a baseline of 36 per hour, which is 3 per window', 20, Array(24).fill(36), 48, false],
    ['a new error without a baseline', 500, [], 0, false],
    ['a single hour with many occurrences does not change the median', 20, [5_000], 48, true],
  ])('%s', (_what, windowCount, hours, ageHours, isSpike) => {
    const spike = detectSpike(full({ windowCount, firstMs: start - ageHours * hour }), hours as number[])
    expect(spike !== undefined).toBe(isSpike)
  })
})
