import { createServer, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createPlain, type Server as PlainServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '#tests/support/certificate.ts'
import { crowd } from '#tests/support/crowd.ts'
import { itemAt } from '#tests/support/elements.ts'
import { openReceiver, type WebhookReceiver } from '#tests/support/integrations/receiver.ts'
import { type HttpClientOptions, openHttpClient } from './post.ts'

let receiver: WebhookReceiver
const others: (Server | PlainServer)[] = []
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  for (const server of others) server.close()
})

const times = { connectMs: 500, timeoutMs: 1_000, readBytes: 65_536, storedBytes: 4_096 }
const open = (options: Partial<HttpClientOptions> = {}) =>
  openHttpClient({ networks: ['127.0.0.0/8'], ...times, ...options })
const body = Buffer.from('{}')

it('reuses a connection and reports its opening time only once', async () => {
  const way = open().open(receiver.url)
  const before = receiver.connections()
  const first = await way.post('/a', [], body)
  const second = await way.post('/a', [], body)
  expect(first).toMatchObject({ outcome: 'ANSWERED', status: 204, address: '127.0.0.1', error: null })
  expect(second).toMatchObject({ status: 204, times: { dns: 0, connect: 0, tls: 0 }, address: '127.0.0.1' })
  expect(receiver.connections() - before).toBe(1)
  way.close()
})

it('dials the checked addresses, even if the name changes in between', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  let queryCount = 0
  const web = open({ networks: [], resolve: async () => itemAt(answers, Math.min(queryCount++, 1)) })
  await web.names('rebinding.example.test')
  const got = receiver.received.length
  const { port } = new URL(receiver.url)
  const posted = await web.open(`http://rebinding.example.test:${port}`).post('/inside', [], body)
  expect(posted.outcome).toBe('CONNECT')
  expect(receiver.received.length).toBe(got)

  // one that leads inside from the start, and one of whose addresses one does
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']]) {
    const inside = open({ networks: [], resolve: async () => addresses })
    const answer = await inside.open(`http://inside.example.test:${port}`).post('/inside', [], body)
    expect(answer).toMatchObject({ outcome: 'BLOCKED_ADDRESS', status: null })
  }
  expect(receiver.received.length).toBe(got)
})

it('dials a literal address only if it is allowed', async () => {
  const { port } = new URL(receiver.url)
  for (const origin of [
    `http://127.0.0.1:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://2130706433:${port}`,
  ]) {
    expect(await open({ networks: [] }).open(new URL(origin).origin).post('/', [], body)).toMatchObject({
      outcome: 'BLOCKED_ADDRESS',
    })
  }
})

it('a silent name server costs the connect timeout, not more', async () => {
  const startedAt = performance.now()
  const web = open({ resolve: () => new Promise(() => {}) })
  expect(await web.open('http://slow.example.test').post('/', [], body)).toMatchObject({ outcome: 'DNS' })
  expect(performance.now() - startedAt).toBeLessThan(900 * crowd())
})

it('retries once on an idle connection that was closed, but not on a new one', async () => {
  let requests = 0
  let connections = 0
  const server = createPlain(socket => {
    connections++
    const isFirst = connections === 1
    socket.on('error', () => {})
    socket.on('data', () => {
      requests++
      if (isFirst && requests === 2) socket.resetAndDestroy()
      else if (connections > 2) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  others.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const web = open()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const way = web.open(origin)
  expect((await way.post('/', [], body)).status).toBe(204)
  expect((await way.post('/', [], body)).status).toBe(204)
  expect(requests).toBeGreaterThanOrEqual(3)
  way.close()
  const before = connections
  expect(await web.open(origin).post('/', [], body)).toMatchObject({ outcome: 'RESET', status: null })
  expect(connections).toBe(before + 1)
})

describe('an interim response does not count as a response', () => {
  const interim: Record<string, string> = {
    '100 that nobody asked for': 'HTTP/1.1 100 Continue\r\n\r\n',
    '100 with a header': 'HTTP/1.1 100 \r\nServer: x\r\n\r\n',
    '101 that nobody asked for':
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
    '102': 'HTTP/1.1 102 Processing\r\n\r\n',
    '103 with hints': 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
    '199': 'HTTP/1.1 199 Whatever\r\n\r\n',
    'one after another': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'.repeat(3),
    'none, but a body that looks like one': '',
  }
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'
  /** Answers each request with `text`, in pieces of so many bytes. */
  async function answering(text: string, pieceBytes: number): Promise<string> {
    const server = createPlain(socket => {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('data', async () => {
        for (let at = 0; at < text.length; at += pieceBytes) {
          socket.write(text.slice(at, at + pieceBytes))
          await new Promise(resolve => setImmediate(resolve))
        }
      })
    })
    others.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it.each(Object.entries(interim))('%s', async (_name, text) => {
    for (const pieceBytes of [1_000_000, 7, 1]) {
      const way = open().open(await answering(text + final, pieceBytes))
      // the second one on the connection that was kept
      for (const connects of [true, false]) {
        const posted = await way.post('/', [], body)
        expect(posted).toMatchObject({ outcome: 'ANSWERED', status: 200, error: null })
        expect(posted.answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
        if (!connects) expect(posted.times).toMatchObject({ connect: 0 })
      }
      way.close()
    }
  })

  it('an endless interim response does not count either', async () => {
    const endless = await answering(`HTTP/1.1 103 Early Hints\r\n${'Link: </a>\r\n'.repeat(10_000)}`, 65_536)
    expect(await open().open(endless).post('/', [], body)).toMatchObject({ outcome: 'RESET', status: null })
    const silent = await answering('HTTP/1.1 100 Continue\r\n\r\n', 100)
    expect(await open().open(silent).post('/', [], body)).toMatchObject({ outcome: 'TIMEOUT', status: null })
  })
})

it('ends a slow response at the timeout; its status counts', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  others.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const way = open().open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const posted = await way.post('/', [], body)
  expect(posted).toMatchObject({ outcome: 'ANSWERED', status: 200 })
  expect(posted.durationMs).toBeGreaterThanOrEqual(990)
  expect(posted.durationMs).toBeLessThan(1_300 * crowd())
  server.closeAllConnections()
})

it('concurrent requests use as many connections, which are reused', async () => {
  const way = open().open(receiver.url)
  receiver.replyWith(
    (response, _notice) => void setTimeout(() => response.writeHead(200).end('ok'), 20),
    '/many',
  )
  const before = receiver.connections()
  for (let round = 0; round < 3; round++) {
    const posted = await Promise.all(Array.from({ length: 16 }, () => way.post('/many', [], body)))
    expect(posted.every(({ status, answer }) => status === 200 && answer === 'ok')).toBe(true)
  }
  expect(receiver.connections() - before).toBe(16)
  way.close()
})

it('verifies the certificate of the requested name', async () => {
  const server = createSecure({ cert: certificate, key: certificateKey }, (_request, response) =>
    response.writeHead(200).end('sealed'),
  )
  others.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resolve = async () => ['127.0.0.1']
  const trusting = open({ resolve, ca: certificate })
  const way = trusting.open(`https://receiver.example.test:${port}`)
  const first = await way.post('/', [], body)
  expect(first).toMatchObject({ outcome: 'ANSWERED', status: 200, answer: 'sealed' })
  expect((await way.post('/', [], body)).times).toMatchObject({ connect: 0, tls: 0 })
  way.close()
  const posts = [
    trusting.open(`https://another.example.test:${port}`).post('/', [], body),
    trusting.open(`https://127.0.0.1:${port}`).post('/', [], body),
    open({ resolve }).open(`https://receiver.example.test:${port}`).post('/', [], body),
    trusting.open(`https://receiver.example.test:${new URL(receiver.url).port}`).post('/', [], body),
  ]
  for (const posted of await Promise.all(posts))
    expect(posted).toMatchObject({ outcome: 'TLS', status: null })
  server.closeAllConnections()
})
