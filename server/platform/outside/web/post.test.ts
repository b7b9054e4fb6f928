import { createServer, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createPlain, type Server as PlainServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { certificate, certificateKey } from '#tests/certificate.ts'
import { crowd } from '#tests/crowd.ts'
import { openReceiver, type Receiver } from '#tests/receiver.ts'
import { openWeb, type WebOptions } from './post.ts'

let receiver: Receiver
const others: (Server | PlainServer)[] = []
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  for (const server of others) server.close()
})

const times = { connectMs: 500, timeoutMs: 1_000, readBytes: 65_536, keptBytes: 4_096 }
const open = (options: Partial<WebOptions> = {}) =>
  openWeb({ networks: ['127.0.0.0/8'], ...times, ...options })
const body = Buffer.from('{}')

it('keeps a connection and counts what it took to open it only once', async () => {
  const way = open().open(receiver.url)
  const before = receiver.connections()
  const first = await way.post('/a', [], body)
  const second = await way.post('/a', [], body)
  expect(first).toMatchObject({ outcome: 'ANSWERED', status: 204, address: '127.0.0.1', error: null })
  expect(second).toMatchObject({ status: 204, times: { dns: 0, connect: 0, tls: 0 }, address: '127.0.0.1' })
  expect(receiver.connections() - before).toBe(1)
  way.close()
})

it('never asks a name that leads elsewhere at the second look: what was checked is dialled', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  let asked = 0
  const web = open({ networks: [], resolve: async () => answers[Math.min(asked++, 1)]! })
  await web.names('rebinding.example.test')
  const got = receiver.notices.length
  const { port } = new URL(receiver.url)
  const posted = await web.open(`http://rebinding.example.test:${port}`).post('/inside', [], body)
  expect(posted.outcome).toBe('CONNECT')
  expect(receiver.notices.length).toBe(got)

  // one that leads inside from the start, and one of whose addresses one does
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']]) {
    const inside = open({ networks: [], resolve: async () => addresses })
    const answer = await inside.open(`http://inside.example.test:${port}`).post('/inside', [], body)
    expect(answer).toMatchObject({ outcome: 'BLOCKED_ADDRESS', status: null })
  }
  expect(receiver.notices.length).toBe(got)
})

it('dials a literal address only when it may', async () => {
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

it('a name server that does not answer costs the connect time, not more', async () => {
  const startedAt = performance.now()
  const web = open({ resolve: () => new Promise(() => {}) })
  expect(await web.open('http://slow.example.test').post('/', [], body)).toMatchObject({ outcome: 'DNS' })
  expect(performance.now() - startedAt).toBeLessThan(900 * crowd())
})

it('sends once more when a kept connection was closed before it answered, and not when a new one was', async () => {
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

it('gives up an answer that drips after the whole time; its status counts', async () => {
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

it('many at a time go over as many connections, which are kept', async () => {
  const way = open().open(receiver.url)
  receiver.reacts(
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

it('speaks TLS to the name that was asked for, and to nobody who cannot prove it', async () => {
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
