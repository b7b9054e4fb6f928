import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused } from './webhook.ts'

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
    if (secrets.length === 1) expect(resultOf(bytes, headers, secrets[0]!, { nowMs })).toBe(result)
  })
})

const [{ body, headers, secrets, nowMs }] = vectors as [Vector]

test('tells what the headers say', () => {
  expect(verifyWebhook(body!, headers, secrets, { nowMs })).toEqual({
    deliveryId: 'cmr1sbvk3cccccccccccccccc',
    event: 'CHAT_MESSAGE_CREATED',
    schemaVersion: '2026-07',
    timestampMs: nowMs,
  })
})

test('goes by the clock of the machine when it is told no time', () => {
  expect(resultOf(body!, headers, secrets)).toBe('TOO_OLD_OR_NEW')
})

test('takes another prefix, and another tolerance', () => {
  const renamed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace('Service', 'Acme'), value]),
  )
  expect(resultOf(body!, renamed, secrets, { nowMs })).toBe('HEADER_MISSING')
  expect(resultOf(body!, renamed, secrets, { nowMs, headerPrefix: 'X-Acme-' })).toBe('OK')
  expect(resultOf(body!, headers, secrets, { nowMs: nowMs + 2_000, toleranceSeconds: 1 })).toBe(
    'TOO_OLD_OR_NEW',
  )
})

test('a header that is there twice is refused', () => {
  const twice = { ...headers, 'X-Service-Signature': [headers['X-Service-Signature']!, 'sha256='] }
  expect(resultOf(body!, twice, secrets, { nowMs })).toBe('HEADER_MALFORMED')
  const inTwoCases = { ...headers, 'x-service-signature': headers['X-Service-Signature']! }
  expect(resultOf(body!, inTwoCases, secrets, { nowMs })).toBe('HEADER_MALFORMED')
})

test('what was parsed is no body, and nothing is no secret', () => {
  expect(() => verifyWebhook(JSON.parse(body!), headers, secrets, { nowMs })).toThrow(TypeError)
  for (const none of ['', [], ['']])
    expect(() => verifyWebhook(body!, headers, none, { nowMs })).toThrow(TypeError)
})
