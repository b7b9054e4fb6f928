import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { signStandardWebhook, verifyWebhook, WebhookRefused } from './webhook.ts'

type Vector = {
  name: string
  body?: string
  bodyBase64: string
  headers: Record<string, string>
  secrets: string[]
  nowMs: number
  result: string
}
const { vectors } = JSON.parse(
  readFileSync(new URL('./vectors/webhook-signatures.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

function resultOf(...given: Parameters<typeof verifyWebhook>): string {
  try {
    verifyWebhook(...given)
    return 'OK'
  } catch (error) {
    if (error instanceof WebhookRefused) return error.reason
    throw error
  }
}

describe('the vectors', () => {
  test.each(vectors)('$name: $result', ({ body, bodyBase64, headers, secrets, nowMs, result }) => {
    const bytes = new Uint8Array(Buffer.from(bodyBase64, 'base64'))
    expect(resultOf(bytes, headers, secrets, { nowMs })).toBe(result)
    if (body !== undefined) expect(resultOf(body, headers, secrets, { nowMs })).toBe(result)
    expect(resultOf(bytes, new Headers(headers), secrets, { nowMs })).toBe(result)
    if (secrets.length === 1) expect(resultOf(bytes, headers, only(secrets), { nowMs })).toBe(result)
  })
})

const { headers, secrets, nowMs, ...vector } = firstOf(vectors)
const body = defined(vector.body)

test('returns the verified headers', () => {
  expect(verifyWebhook(body, headers, secrets, { nowMs })).toEqual({
    deliveryId: 'cmr1sbvk3cccccccccccccccc',
    event: 'CHAT_MESSAGE_CREATED',
    schemaVersion: '2026-07',
    timestampMs: nowMs,
  })
})

test('uses the local clock by default', () => {
  expect(resultOf(body, headers, secrets)).toBe('TOO_OLD_OR_NEW')
})

test('supports another prefix and tolerance', () => {
  const renamed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace('Service', 'Acme'), value]),
  )
  expect(resultOf(body, renamed, secrets, { nowMs })).toBe('HEADER_MISSING')
  expect(resultOf(body, renamed, secrets, { nowMs, headerPrefix: 'X-Acme-' })).toBe('OK')
  expect(resultOf(body, headers, secrets, { nowMs: nowMs + 2_000, toleranceSeconds: 1 })).toBe(
    'TOO_OLD_OR_NEW',
  )
})

test('a repeated header is refused', () => {
  const twice = { ...headers, 'X-Service-Signature': [defined(headers['X-Service-Signature']), 'sha256='] }
  expect(resultOf(body, twice, secrets, { nowMs })).toBe('HEADER_MALFORMED')
  const inTwoCases = { ...headers, 'x-service-signature': defined(headers['X-Service-Signature']) }
  expect(resultOf(body, inTwoCases, secrets, { nowMs })).toBe('HEADER_MALFORMED')
})

test('a parsed body and an empty secret are refused', () => {
  expect(() => verifyWebhook(JSON.parse(body), headers, secrets, { nowMs })).toThrow(TypeError)
  for (const none of ['', [], ['']])
    expect(() => verifyWebhook(body, headers, none, { nowMs })).toThrow(TypeError)
})

describe('the headers of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const notice = '{"event":"WEBHOOK_TEST","data":{},"meta":{"schemaVersion":"2026-07"}}'
  const seconds = 1_614_265_330
  const clock = { nowMs: seconds * 1000 }
  const standard = (given: Record<string, string> = {}, rawBody = notice) => ({
    'webhook-id': 'cmr1sbvk3cccccccccccccccc',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandardWebhook(rawBody, secret, 'cmr1sbvk3cccccccccccccccc', seconds),
    ...given,
  })

  test('are signed as their specification says', () => {
    expect(signStandardWebhook('{"test": 2432232314}', secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('are verified if ours are absent', () => {
    expect(verifyWebhook(notice, standard(), secret, clock)).toEqual({
      deliveryId: 'cmr1sbvk3cccccccccccccccc',
      event: 'WEBHOOK_TEST',
      schemaVersion: '2026-07',
      timestampMs: clock.nowMs,
    })
    const { 'webhook-signature': good } = standard()
    expect(
      resultOf(
        notice,
        standard({ 'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${good}` }),
        secret,
        clock,
      ),
    ).toBe('OK')
    expect(resultOf(new TextEncoder().encode(notice), new Headers(standard()), ['x', secret], clock)).toBe(
      'OK',
    )
    // ours count when both are there
    expect(resultOf(notice, { ...standard(), 'X-Service-Signature': 'none' }, secret, clock)).toBe(
      'HEADER_MISSING',
    )
  })

  test.each([
    ['another body', `${notice} `, {}, clock.nowMs, 'SIGNATURE_WRONG'],
    ['another id', notice, { 'webhook-id': 'other' }, clock.nowMs, 'SIGNATURE_WRONG'],
    ['301 seconds later', notice, {}, clock.nowMs + 301_000, 'TOO_OLD_OR_NEW'],
    ['no time', notice, { 'webhook-timestamp': 'now' }, clock.nowMs, 'HEADER_MALFORMED'],
    ['another version alone', notice, { 'webhook-signature': 'v2,abc' }, clock.nowMs, 'HEADER_MALFORMED'],
  ])('%s is refused', (_name, rawBody, given, nowMs, reason) => {
    expect(resultOf(rawBody, standard(given), secret, { nowMs })).toBe(reason)
  })

  test('a body without an event is refused', () => {
    expect(resultOf('nothing', standard({}, 'nothing'), secret, clock)).toBe('BODY_MALFORMED')
  })
})
