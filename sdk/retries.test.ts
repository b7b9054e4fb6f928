import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { createLead, listLeads } from '#contract/crm/leads.ts'
import { openPeopleStream } from '#contract/identity/stream.ts'
import { createAsset, updateAsset } from '#contract/studio/assets.ts'
import { hangsMs } from '#tests/support/crowd.ts'
import { defined } from '#tests/support/elements.ts'
import { CallError, connect } from './client.ts'
import { openStream } from './stream.ts'

type Reply = { status: number; headers?: Record<string, string>; body?: object } | 'cut'

// a real server that sends the prepared answers, instead of Patio
let server: Server
let url: string
let replies: Reply[]
let received: { method: string; headers: IncomingHttpHeaders }[]
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push({ method: defined(request.method), headers: request.headers })
    const reply = replies.shift() ?? { status: 200 }
    if (reply === 'cut') return void request.socket.destroy()
    response
      .writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers })
      .end(JSON.stringify(reply.body ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  replies = []
  received = []
})
afterAll(() => server.close())

const body = { email: 'ada@example.com' }
const keys = () => received.map(({ headers }) => headers['idempotency-key'])

test('a read is retried after a lost connection or 503', async () => {
  replies = ['cut', { status: 503, headers: { 'Retry-After': '0' } }, { status: 200 }]
  await connect(url, { apiKey: 'key' }).call(listLeads)
  expect(received).toHaveLength(3)
})

test('a POST of an application is retried with the same Idempotency-Key', async () => {
  replies = ['cut', { status: 502 }, { status: 201 }]
  await connect(url, { apiKey: 'key' }).call(createLead, { body })
  expect(received).toHaveLength(3)
  expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(new Set(keys()).size).toBe(1)
})

test("the caller's own key is kept, in a header or in the body", async () => {
  replies = [{ status: 502 }, { status: 201 }, { status: 502 }, { status: 200 }]
  const client = connect(url, { apiKey: 'key' })
  await client.call(createLead, { body, headers: { 'idempotency-key': 'order 1' } })
  expect(keys()).toEqual(['order 1', 'order 1'])
  await client.call(chargeInvoice, { params: { id: 'c1' }, body: { userId: 'u', idempotencyKey: 'mine' } })
  expect(received).toHaveLength(4)
  expect(keys().slice(2)).toEqual([undefined, undefined])
})

test("a person's change with an unknown result is not retried", async () => {
  const client = connect(url, { token: 'token' })
  replies = [{ status: 503 }]
  await expect(client.call(createAsset, { body: { type: 'PROMPT', name: 'A' } })).rejects.toThrow(CallError)
  replies = ['cut']
  await expect(client.call(updateAsset, { params: { id: 'c1' }, body: { name: 'B' } })).rejects.toThrow(
    'fetch failed',
  )
  expect(received).toHaveLength(2)
})

test('a temporary refusal is retried, unless its pause is too long', async () => {
  const client = connect(url, { token: 'token' })
  const params = { id: 'c1' }
  replies = [{ status: 429, headers: { 'Retry-After': '0' } }, { status: 200 }]
  await client.call(updateAsset, { params, body: { name: 'B' } })
  expect(received).toHaveLength(2)
  replies = [{ status: 429, headers: { 'Retry-After': '3600' } }]
  await expect(client.call(updateAsset, { params, body: { name: 'B' } })).rejects.toMatchObject({
    status: 429,
  })
  expect(received).toHaveLength(3)
})

test('the caller can set fewer retries, or abort', async () => {
  replies = [{ status: 503 }]
  await expect(connect(url, { apiKey: 'key' }, { retries: 0 }).call(listLeads)).rejects.toThrow(CallError)
  expect(received).toHaveLength(1)
  replies = [{ status: 503, headers: { 'Retry-After': '20' } }]
  const signal = AbortSignal.timeout(50)
  await expect(connect(url, { apiKey: 'key' }).call(listLeads, { signal })).rejects.toThrow(
    'aborted due to timeout',
  )
  expect(received).toHaveLength(2)
})

test('a stream that is refused is opened again after the time that the server asks for, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const end = new AbortController()
  try {
    replies = [
      { status: 201, body: { token: 'stream token' } },
      { status: 429, body: { errorCode: 'TOO_MANY_STREAMS', retryAfterSeconds: 20 } },
    ]
    const refused = Promise.withResolvers<unknown>()
    const client = connect(url, { token: 'token' })
    const stream = openStream(client, openPeopleStream, { signal: end.signal, onReconnect: refused.resolve })
    const first = stream.next()
    expect(await refused.promise).toMatchObject({ status: 429 })
    await vi.advanceTimersByTimeAsync(19_000)
    expect(received).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2_000)
    await vi.waitUntil(() => received.length > 2, { timeout: hangsMs })
    end.abort()
    expect((await first).done).toBe(true)
  } finally {
    end.abort()
    vi.useRealTimers()
  }
})
