import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verifyWebhook } from '#sdk/webhook.ts'
import {
  curlOf,
  isMoving,
  jsonOf,
  piecesOf,
  requestHeaders,
  scaleOf,
  schemaVersionOf,
  waitBefore,
} from './attempt.rules.ts'
import type { Attempt } from './delivery.ts'
import { deliveryQueryOf, deliverySearchOf, lastDays, nextFailed, rangeOf } from './delivery-search.rules.ts'

const now = Date.parse('2026-11-22T12:34:56.000Z')

test('the address keeps valid filters and leaves out the others', () => {
  expect(
    deliverySearchOf({ status: 'FAILED', event: 'INVOICE_PAID', application: 'a', time: '24h', open: 'd' }),
  ).toEqual({ status: 'FAILED', event: 'INVOICE_PAID', application: 'a', time: '24h', open: 'd' })
  expect(deliverySearchOf({ status: 'LOST', event: '', time: '3h', open: 4 })).toEqual({})
  expect(deliverySearchOf({ time: '2026-11-21' })).toEqual({ time: '2026-11-21' })
  expect(deliverySearchOf({ time: '2026-13-41' })).toEqual({})
})

test('a span begins at a whole minute, a day ends where the next one begins', () => {
  expect(rangeOf('1h', now)).toEqual({ since: '2026-11-22T11:34:00.000Z' })
  const { since = '', until = '' } = rangeOf('2026-11-21', now)
  expect(Date.parse(until) - Date.parse(since)).toBe(86_400_000)
  expect(deliveryQueryOf({ status: 'FAILED', application: 'a' }, now)).toEqual({ status: 'FAILED' })
  expect(lastDays(30, now)).toHaveLength(30)
  expect(lastDays(30, now)[0]).toBe('2026-11-22')
})

test('the next failed delivery follows the open one, and the search starts again at the top', () => {
  const rows = [
    { id: 'a', status: 'FAILED' },
    { id: 'b', status: 'DELIVERED' },
    { id: 'c', status: 'FAILED' },
  ] as const
  expect(nextFailed(rows, undefined)?.id).toBe('a')
  expect(nextFailed(rows, 'a')?.id).toBe('c')
  expect(nextFailed(rows, 'c')?.id).toBe('a')
  expect(nextFailed([rows[0], rows[1]], 'a')).toBeUndefined()
})

const attempt: Attempt = {
  n: 1,
  trigger: 'AUTOMATIC',
  startedAt: '2026-11-22T12:00:00.000Z',
  durationMs: 341,
  timings: { dns: 2, connect: 8, tls: 0, firstByte: 310, rest: 21 },
  outcome: 'HTTP_STATUS',
  status: 503,
  answer: null,
  answerHeaders: null,
  address: null,
  secretId: null,
  error: null,
}

test('attempts share one scale; a phase that took no time has no piece', () => {
  expect(scaleOf([attempt, { durationMs: 12 }])).toBe(500)
  expect(scaleOf([{ durationMs: 10_000 }])).toBe(10_000)
  expect(piecesOf(attempt)).toEqual([
    { phase: 'dns', startMs: 0, durationMs: 2 },
    { phase: 'connect', startMs: 2, durationMs: 8 },
    { phase: 'firstByte', startMs: 10, durationMs: 310 },
    { phase: 'rest', startMs: 320, durationMs: 21 },
  ])
  expect(piecesOf({ timings: null })).toEqual([])
  const later = { ...attempt, n: 2, startedAt: '2026-11-22T12:00:05.341Z' }
  expect([waitBefore([attempt, later], 0), waitBefore([attempt, later], 1)]).toEqual([undefined, 5_000])
})

test('a delivery moves while it waits, also for an attempt that a person asked for', () => {
  expect(isMoving({ status: 'PENDING', dueAt: null })).toBe(true)
  expect(isMoving({ status: 'DELIVERED', dueAt: '2026-11-22T12:00:00.000Z' })).toBe(true)
  expect(isMoving({ status: 'FAILED', dueAt: null })).toBe(false)
})

test('the command signs the body as the server does, also one with quotes (DLV-2)', () => {
  const body =
    '{"event":"WEBHOOK_TEST","data":{"message":"it\'s $HOME `x`"},"meta":{"schemaVersion":"2026-07"}}'
  const delivery = { id: 'cmr1sbvk0h3x9d7q2w5e8t4ya', event: 'WEBHOOK_TEST', body }
  const secret = `whsec_${'a'.repeat(44)}`
  const script = curlOf(delivery, "https://shop.example/it's").replace("'whsec_…'", `'${secret}'`)
  // a curl that prints its arguments
  const printed = execFileSync('bash', ['-c', `curl() { printf '%s\\n' "$@"; }\n${script}`], {
    encoding: 'utf8',
  })
  const lines = printed.split('\n')
  const headers = Object.fromEntries(
    lines.filter(line => /^[\w-]+: /.test(line)).map(line => line.split(': ') as [string, string]),
  )
  expect(lines).toContain("https://shop.example/it's")
  expect(lines).toContain(body)
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  expect(verifyWebhook(body, lower, secret).deliveryId).toBe(delivery.id)
  expect(requestHeaders(delivery)).toContainEqual(['X-Service-Schema-Version', '2026-07'])
})

test('an answer is shown as JSON only if it is some', () => {
  expect(jsonOf('{"error":"maintenance"}')).toEqual({ error: 'maintenance' })
  expect([jsonOf('maintenance'), jsonOf('503'), jsonOf('')]).toEqual([undefined, undefined, undefined])
  expect(schemaVersionOf('not JSON')).toBe('')
})
