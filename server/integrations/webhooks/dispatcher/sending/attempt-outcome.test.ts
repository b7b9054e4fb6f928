import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { decideNext, outcomeOf } from './attempt-outcome.ts'
import { headersOf, signature, signingKey, standardSignature, standardSigningKey } from './sign.ts'

const first = { trigger: 'AUTOMATIC', retries: 0 } as const
const manual = { trigger: 'MANUAL', retries: 0 } as const
const all = Array.from({ length: 400 }, (_, at) => at + 200)

test('2xx is delivered; 408, 425, 429 and 5xx are retried', () => {
  for (const status of all) {
    const outcome = outcomeOf({ outcome: 'ANSWERED', status })
    const verdict = decideNext(outcome, status, first)
    const isAgain = status >= 500 || [408, 425, 429].includes(status)
    if (status < 300) expect(verdict).toEqual({ final: 'DELIVERED', waitMs: null })
    else expect(verdict.waitMs, String(status)).toBe(isAgain ? 5_000 : null)
    if (status >= 300 && !isAgain) expect(verdict.final).toBe('FAILED')
  }
})

test('network failures are retried, a blocked address is not', () => {
  for (const outcome of ['TIMEOUT', 'CONNECT', 'DNS', 'TLS', 'RESET', 'INTERNAL'] as const)
    expect(decideNext(outcome, null, { ...first, retries: 1 })).toEqual({ final: null, waitMs: 10_000 })
  expect(decideNext('BLOCKED_ADDRESS', null, first).final).toBe('FAILED')
})

test('waits are 5, 10, 20 and 40 s, the fifth attempt is the last, and a manual retry is not repeated', () => {
  const waits = [0, 1, 2, 3, 4].map(retries => decideNext('TIMEOUT', null, { ...first, retries }).waitMs)
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, null])
  expect(decideNext('TIMEOUT', null, { trigger: 'RECOVERY', retries: 4 }).final).toBe('FAILED')
  expect(decideNext('TIMEOUT', null, { trigger: 'RECOVERY', retries: 0 }).waitMs).toBe(5_000)
  expect(decideNext('TIMEOUT', null, manual).final).toBe('FAILED')
  expect(decideNext('DELIVERED', 204, manual).final).toBe('DELIVERED')
})

test('signs milliseconds, a dot and the raw bytes', () => {
  const body = Buffer.from('{"event":"ñ"}')
  // printf '1790000000000.{"event":"ñ"}' | openssl dgst -sha256 -hmac whsec_test
  expect(signature(signingKey('whsec_test'), 1_790_000_000_000, body)).toBe(
    'sha256=414b6162beb897e4ab1c47c9c39bdc10e36f543db021fd5bc0412e65c7726567',
  )
})

test('signs as Standard Webhooks does', () => {
  const body = Buffer.from('{"test": 2432232314}')
  // of its specification
  const key = standardSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  expect(standardSignature(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('signs with secrets and bodies of any length', () => {
  for (const length of [0, 1, 63, 64, 65, 200]) {
    const [secret, body] = ['s'.repeat(length), Buffer.alloc(length * 37, 'b')]
    const expected = createHmac('sha256', secret).update('17.').update(body).digest('hex')
    expect(signature(signingKey(secret), 17, body)).toBe(`sha256=${expected}`)
  }
})

test('a custom prefix applies to every header', () => {
  const events = { deliveryId: 'd', event: 'E', schemaVersion: '2026-07' }
  const signers = {
    current: { id: '1', key: signingKey('a'), standardKey: undefined },
    next: { id: '2', key: signingKey('b'), standardKey: undefined },
  }
  const headers = headersOf(events, signers, 1, Buffer.from(''), 'X-Acme-')
  expect(headers.filter((_, at) => at % 2 === 0).slice(2)).toEqual(
    ['Signature', 'Timestamp', 'Event', 'Delivery-Id', 'Schema-Version', 'Signature-Next'].map(
      name => `X-Acme-${name}`,
    ),
  )
})
