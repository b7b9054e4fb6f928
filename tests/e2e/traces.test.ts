import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectGateway } from '#contract/billing/gateway.ts'
import { createInvitation } from '#contract/identity/invitations.ts'
import { setWebhook, testWebhook } from '#contract/integrations/webhook.ts'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { openTraceExport } from '#platform/adapters/trace-export.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { streamsAt } from '#tests/support/event-stream.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { openReceiver, type WebhookReceiver } from '#tests/support/integrations/receiver.ts'
import { loopback } from '#tests/support/integrations/webhook-harness.ts'
import { linesOf, until } from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { openTraceCollector, type ReceivedSpan, type TraceCollector } from '#tests/support/trace-collector.ts'

let collector: TraceCollector
let receiver: WebhookReceiver
let server: TestServer
let owner: Person

beforeAll(async () => {
  collector = await openTraceCollector()
  receiver = await openReceiver()
  const headers = { authorization: 'Bearer of the collector' }
  server = await startTestServer({
    traces: { url: `${collector.url}/v1/traces`, headers, ratio: 1 },
    webhookNetworks: loopback,
  })
  owner = await (await server.organization()).person({ role: 'OWNER', email: 'olga@example.test' })
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
  await collector?.close()
})

const byRequest = (id: string) => (span: ReceivedSpan) => span.attributes['patio.request_id'] === id
const nameOf = ({ name }: ReceivedSpan) => name

const openStream = streamsAt('/api/studio/events', () => server)

/** The parts of a span that its parent may wait for are received with it, or soon after. */
async function childOf(parent: ReceivedSpan, matches: (name: string) => boolean): Promise<ReceivedSpan> {
  const isChild = (span: ReceivedSpan) => span.parentSpanId === parent.spanId && matches(span.name)
  const child = firstOf(await collector.waitFor('a child', isChild))
  return child
}

function request(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { authorization: `Bearer ${owner.token}`, ...init.headers }
  return fetch(new URL(path, server.url), { ...init, headers })
}

test.concurrent('a request has a span with its route, its transactions and their statements', async () => {
  const { headers } = await owner.send(createAsset, {
    body: { type: 'PROMPT', name: 'A name of a customer', bodyMarkdown: 'A secret text' },
  })
  const id = defined(headers.get('x-request-id'))
  const span = firstOf(await collector.waitFor('the request', byRequest(id)))
  expect(span).toMatchObject({
    service: 'patio-api',
    name: 'POST /api/studio/assets',
    kind: 'server',
    parentSpanId: '',
    isError: false,
    attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201 },
  })
  const transaction = await childOf(span, name => name === 'transaction')
  const statement = await childOf(transaction, name => name === 'insert asset')
  expect(statement.attributes['db.query.text']).toMatch(/^insert into asset .*\$1/)
  expect(statement.durationMs).toBeLessThanOrEqual(transaction.durationMs)
})

test.concurrent('statements behind a body that arrives late belong to its request', async () => {
  const body = JSON.stringify({ type: 'PROMPT', name: 'In two parts' })
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const head = `HTTP/1.1\r\nHost: patio\r\nAuthorization: Bearer ${owner.token}\r\n`
  socket.write(`GET /api/studio/assets ${head}\r\n`)
  await once(socket, 'data')
  socket.write(
    `POST /api/studio/assets ${head}X-Request-Id: late-body\r\nExpect: 100-continue\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  // the server has the headers
  await once(socket, 'data')
  socket.write(body.slice(0, 9))
  await request('/api/auth/me')
  socket.write(body.slice(9))
  socket.resume()
  await once(socket, 'close')
  const span = firstOf(await collector.waitFor('the request', byRequest('late-body')))
  expect(span.attributes['http.response.status_code']).toBe(201)
  await childOf(span, name => name === 'transaction')
})

test.concurrent('a caller can continue its trace', async () => {
  const traceId = 'c'.repeat(32)
  const traceparent = `00-${traceId}-${'d'.repeat(16)}-00`
  const reply = await request('/api/studio/assets?search=a+searched+word', { headers: { traceparent } })
  const span = firstOf(
    await collector.waitFor('the request', byRequest(defined(reply.headers.get('x-request-id')))),
  )
  expect([span.traceId, span.parentSpanId]).toEqual([traceId, 'd'.repeat(16)])
  const invalid = ['00-0-0-01', `ff-${traceId}-${'d'.repeat(16)}-01`, 'x'.repeat(3_000)]
  const replies = await Promise.all(
    invalid.map(text => request('/api/auth/me', { headers: { traceparent: text } })),
  )
  for (const { headers } of replies) {
    const own = firstOf(
      await collector.waitFor('the request', byRequest(defined(headers.get('x-request-id')))),
    )
    expect([own.parentSpanId, own.traceId === traceId]).toEqual(['', false])
  }
})

test.concurrent('an attempt of a webhook is a trace that the receiver does not see', async () => {
  const application = await makeApplication(server, { id: owner.organizationId }, { principal: owner })
  const params = { id: application.id }
  await owner.call(setWebhook, { params, body: { url: `${receiver.url}/a-secret-path`, events: [] } })
  receiver.replyWith(410, '/a-secret-path')
  await owner.call(testWebhook, { params })
  const webhook = firstOf(await receiver.waitFor(1, '/a-secret-path'))
  expect(webhook.headers).not.toHaveProperty('traceparent')
  const [span] = await collector.waitFor('the attempt', ({ name }) => name === 'send webhook')
  expect(span).toMatchObject({
    service: 'patio-worker',
    kind: 'client',
    parentSpanId: '',
    isError: true,
    attributes: {
      'patio.webhook.event': 'WEBHOOK_TEST',
      'patio.webhook.delivery_id': webhook.deliveryId,
      'http.response.status_code': 410,
      'error.type': 'HTTP_STATUS',
    },
  })
})

test.concurrent('mails and requests to the gateway are spans of what caused them', async () => {
  await owner.call(createInvitation, { body: { email: 'ines@example.test', role: 'MEMBER' } })
  await collector.waitFor('the mail', ({ name }) => name === 'send mail')
  const { headers } = await owner.send(connectGateway, { body: { adapter: 'sandbox' } })
  const span = firstOf(
    await collector.waitFor('the request', byRequest(defined(headers.get('x-request-id')))),
  )
  const call = await childOf(span, name => name === 'gateway readAccount')
  expect(call).toMatchObject({ kind: 'client', attributes: { 'patio.gateway': 'sandbox' } })
})

test.concurrent('each run of a job is a trace, and a failure is marked', async () => {
  const [job] = await collector.waitFor('a job', ({ name, isError }) => name === 'job send mails' && !isError)
  expect(job).toMatchObject({ service: 'patio-worker', kind: 'internal', parentSpanId: '' })
  // a table that no other test here needs
  await server.sql('alter table budget_seal rename to budget_seal_elsewhere')
  const failed = firstOf(
    await collector
      .waitFor('a failed job', ({ name, isError }) => name === 'job seal budgets' && isError)
      .finally(() => server.sql('alter table budget_seal_elsewhere rename to budget_seal')),
  )
  expect(failed.attributes['error.type']).toBe('42P01')
  const line = linesOf(server.logged()).find(
    ({ msg, trace_id }) => msg.startsWith('a maintenance job failed') && trace_id === failed.traceId,
  )
  expect(line).toMatchObject({ span_id: failed.spanId, job: 'seal budgets' })
})

test.concurrent('a line of the log names the trace of its request', async () => {
  const reply = await request('/api/studio/assets')
  const requestId = defined(reply.headers.get('x-request-id'))
  const span = firstOf(await collector.waitFor('the request', byRequest(requestId)))
  const lines = linesOf(server.logged()).filter(line => line.requestId === requestId)
  expect(lines).toMatchObject([{ msg: 'request', trace_id: span.traceId, span_id: span.spanId }])
})

test.concurrent('the span of an event stream ends when the stream is open', async () => {
  expect((await openStream(owner)).status).toBe(200)
  const span = firstOf(await collector.waitFor('the stream', ({ name }) => name === 'GET /api/studio/events'))
  expect(span.isError).toBe(false)
})

test.concurrent('a request whose client goes away ends its span', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/studio/assets HTTP/1.1\r\nHost: patio\r\nAuthorization: Bearer ${owner.token}\r\nX-Request-Id: gone-away\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
  )
  // the server has the headers
  await once(socket, 'data')
  socket.destroy()
  const span = firstOf(await collector.waitFor('the request', byRequest('gone-away')))
  expect(span.attributes['error.type']).toBe('aborted')
})

test.concurrent('no caller decides that its trace is exported', async () => {
  const unsampled = await startTestServer(
    { traces: { url: `${collector.url}/v1/traces`, headers: {}, ratio: 0 } },
    { hasWorker: false },
  )
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const reply = await fetch(new URL('/api/studio/assets', unsampled.url), { headers: { traceparent } })
  expect(reply.status).toBe(401)
  await unsampled.close()
  expect(collector.spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([])
})

test.concurrent('a collector that refuses or never answers delays nothing, and lost spans are counted', async () => {
  const failing = await openTraceCollector()
  failing.replyWith(400)
  const other = await startTestServer(
    { traces: { url: `${failing.url}/v1/traces`, headers: {}, ratio: 1 } },
    { hasWorker: false },
  )
  try {
    const person = await (await other.organization()).person({ role: 'OWNER' })
    await person.call(listAssets)
    const shows = async (pattern: RegExp) =>
      pattern.test(await (await fetch(new URL('/metrics', other.url))).text())
    await until('a failure is counted', () => shows(/patio_trace_spans_total\{result="failed"\} [1-9]/))
    expect(await shows(/patio_trace_spans_total\{result="exported"\}/)).toBe(false)
    failing.replyWith(200)
    await person.call(listAssets)
    await until('a success is counted', () => shows(/patio_trace_spans_total\{result="exported"\} [1-9]/))
    const { length } = failing.requests
    failing.replyWith(0)
    await person.call(listAssets)
    await until('another export has begun', () => failing.requests.length > length)
    for (let round = 0; round < 20; round++) expect((await person.send(listAssets)).status).toBe(200)
    expect(linesOf(other.logged()).filter(({ msg }) => msg === 'traces could not be exported')).toHaveLength(
      1,
    )
  } finally {
    // waits for no answer
    await other.close()
    await failing.close()
  }
})

test.concurrent('too many spans are dropped, and a trace has no more than 500', async () => {
  const silent = await openTraceCollector()
  silent.replyWith(0)
  const ends = { exported: 0, failed: 0, dropped: 0 }
  const traces = await openTraceExport(
    { url: `${silent.url}/v1/traces`, headers: {}, ratio: 1 },
    {
      service: 'test',
      log: { warn: () => {} } as never,
      count: (result, by) => {
        ends[result] += by
      },
    },
  )
  let children = 0
  for (let trace = 0; trace < 10; trace++) {
    const root = defined(traces.start({ name: 'root', kind: 'internal' }))
    for (let index = 0; index < 600; index++) {
      const child = root.startChild({ name: 'child', kind: 'internal' })
      if (child) children++
      child?.end()
    }
    root.end()
  }
  expect(children).toBe(10 * 499)
  expect(ends).toEqual({ exported: 0, failed: 0, dropped: 10 * 500 - 4_096 })
  await traces.close()
  await silent.close()
})

test('probes and scrapes are not traced, and no span has input, personal data or a secret', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await request(path)).status).toBe(200)
  const last = await request('/api/studio/assets')
  await collector.waitFor('the last request', byRequest(defined(last.headers.get('x-request-id'))))
  expect(collector.spans.map(nameOf).filter(name => /healthz|readyz|metrics/.test(name))).toEqual([])
  const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
  expect([...names].sort()).toEqual([
    'db.query.summary',
    'db.query.text',
    'db.system.name',
    'error.type',
    'http.request.method',
    'http.request.resend_count',
    'http.response.status_code',
    'http.route',
    'patio.gateway',
    'patio.request_id',
    'patio.webhook.delivery_id',
    'patio.webhook.event',
  ])
  const text = JSON.stringify(collector.spans)
  const secrets = [
    owner.token,
    'olga@',
    'ines@',
    'a-secret-path',
    'A name of a customer',
    'A secret text',
    'searched',
    owner.id,
    'In two parts',
  ]
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
  expect(collector.requests[0]).toMatchObject({
    ':path': '/v1/traces',
    'content-type': 'application/x-protobuf',
    authorization: 'Bearer of the collector',
  })
  expect(await (await request('/metrics')).text()).toMatch(
    /patio_trace_spans_total\{result="exported"\} [1-9]/,
  )
})
