import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { listAssets } from '#contract/studio/assets.ts'
import { crowd } from '#tests/support/crowd.ts'
import {
  dataFolder,
  endAll,
  isAlive,
  type Patio,
  removeFolders,
  start,
  until,
} from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const each = 100
const headersMs = 15_000
const bodyMs = 35_000

let server: TestServer
let api: Patio
let person: Person
const sockets = new Set<Socket>()

beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person({ role: 'OWNER' })
  const { signInSecret, sessionKeys, databaseUrl } = server.config
  api = await start('api', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    LOG_LEVEL: 'debug',
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  expect(isAlive(api.pid), 'the process lived through all of it').toBe(true)
  const bugs = api.lines().filter(({ level, status }) => level >= 60 || Number(status) >= 500)
  expect(bugs).toEqual([])
  await api.stop()
  await server?.close()
  endAll()
  removeFolders()
})

type Raw = { socket: Socket; received(): string; closed: Promise<number> }

/** A raw connection. `closed` resolves with the milliseconds until it was closed. */
async function open(first: string | Buffer, { allowHalfOpen = false } = {}): Promise<Raw> {
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen })
  sockets.add(socket)
  let received = ''
  socket.on('error', () => {})
  socket.on('data', bytes => {
    received += bytes.toString('latin1')
  })
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  await once(socket, 'connect')
  const startedAt = performance.now()
  socket.on('close', () => resolve(performance.now() - startedAt))
  socket.write(first)
  return { socket, received: () => received, closed }
}

/** Sends the same bytes once more each second, as long as the other side accepts them. */
function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 1_000)
  socket.on('close', () => clearInterval(timer))
}

function post(path: string, headers: string[], body = ''): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${person.token}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
const json = 'Content-Type: application/json'

/** All statuses in the received data. */
function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** Sends the data, waits for the reply or the end of the connection, and returns what arrived. */
async function ask(bytes: string | Buffer, withinMs = 5_000): Promise<string> {
  const { socket, received, closed } = await open(bytes)
  const answered = until('an answer', () => statuses(received()).some(status => status >= 200), withinMs)
  await Promise.race([answered, closed])
  await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 100))])
  socket.destroy()
  return received()
}

test('slow headers and bodies on many sockets time out, and others are served fast', async () => {
  const slowHeaders = await Promise.all(
    Array.from({ length: each }, () => open('GET /healthz HTTP/1.1\r\nX-Slow: ')),
  )
  const slowBodies = await Promise.all(
    Array.from({ length: each }, () =>
      open(post('/api/studio/assets', [json, 'Content-Length: 100000'], '{')),
    ),
  )
  const silent = await Promise.all(Array.from({ length: each }, () => open('')))
  for (const { socket } of slowHeaders) drip(socket, 'a')
  for (const { socket } of slowBodies) drip(socket, ' ')

  const fast: number[] = []
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      await person.at(api.url).call(listAssets)
      fast.push(performance.now() - startedAt)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  })()
  const longest = async (raws: Raw[]) => Math.max(...(await Promise.all(raws.map(({ closed }) => closed))))
  const [headers, silence, bodies] = await Promise.all([
    longest(slowHeaders),
    longest(silent),
    longest(slowBodies),
  ])
  isDone = true
  await others
  expect(headers).toBeLessThan(headersMs)
  expect(silence).toBeLessThan(headersMs)
  expect(bodies).toBeLessThan(bodyMs)
  expect(slowBodies.flatMap(({ received }) => statuses(received())).every(status => status === 408)).toBe(
    true,
  )
  fast.sort((a, b) => a - b)
  expect(fast[Math.floor(fast.length * 0.95)]).toBeLessThan(500 * crowd())
})

test('a body with a too large Content-Length is refused before it is read', async () => {
  const text = await ask(post('/api/studio/assets', [json, `Content-Length: ${limits.bodyBytesMost + 1}`]))
  expect(statuses(text)).toEqual([413])
  expect(text).toContain('"errorCode":"BODY_TOO_LARGE"')
})

test('a chunked body is refused once it is too large, and the client sees the reply', async () => {
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
  // a client that goes on sending after the server has ended its side
  const raw = await open(post('/api/studio/assets', [json, 'Transfer-Encoding: chunked'], chunk), {
    allowHalfOpen: true,
  })
  let sent = 1
  // as fast as possible, up to a hundred times the limit, also after the reply
  let more = 40
  while (more > 0 && sent < 1_600 && !raw.socket.closed) {
    if (statuses(raw.received()).length > 0) more--
    if (!raw.socket.write(chunk)) {
      await Promise.race([new Promise(resolve => raw.socket.once('drain', resolve)), raw.closed])
    }
    sent++
    await new Promise(setImmediate)
  }
  expect(raw.socket.closed, 'the answer is not cut off').toBe(false)
  await until('the refusal', () => statuses(raw.received()).length > 0 || raw.socket.closed)
  expect(statuses(raw.received())).toEqual([413])
  drip(raw.socket, chunk)
  expect(await raw.closed, 'the rest is not awaited for ever').toBeLessThan(bodyMs)
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200)
})

test('long URLs and huge headers are refused', async () => {
  const get = (path: string, ...headers: string[]) =>
    ask(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map(header => `${header}\r\n`).join('')}\r\n`)
  expect(statuses(await get(`/${'a'.repeat(10_000)}`))).toEqual([404])
  expect(statuses(await get(`/api/studio/assets/${'a'.repeat(10_000)}`))).toEqual([404])
  expect(statuses(await get(`/api/studio/assets?search=${'a'.repeat(10_000)}`))).toEqual([401])
  expect(statuses(await get(`/${'a'.repeat(20_000)}`))).toEqual([431])
  expect(statuses(await get('/healthz', `X-Huge: ${'a'.repeat(20_000)}`))).toEqual([431])
  expect(statuses(await get('/healthz', ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: a`)))).toEqual([
    431,
  ])
  expect(statuses(await get('/%ff%fe/%zz'))).toEqual([404])
  expect(statuses(await get('//example.com/..%2f..%2fetc/passwd'))).toEqual([404])
  expect(statuses(await get('/api/studio/events?token=%00%zz&token=b'))).toEqual([401])
})

test.each<[string, string | Buffer]>([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c40303aabbccddeeff', 'hex')],
  ['a request behind which garbage comes', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\0\0garbage\r\n\r\n'],
  ['two lengths', 'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  [
    'a length and chunks, as smugglers send it',
    'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n',
  ],
  [
    'a chunk of a broken size',
    'POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n',
  ],
  [
    'a chunk of a monstrous size',
    'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff1\r\n',
  ],
  ['a negative length', 'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a header with a NUL', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n'],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['a method nobody knows', 'BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a proxy’s request', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['an upgrade', 'GET /healthz HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  [
    'a wait for permission',
    'POST /api/studio/assets HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n',
  ],
  ['an expectation that cannot be met', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-pony\r\n\r\n'],
])('%s does no harm', async (_what, bytes) => {
  const text = await ask(bytes)
  expect(statuses(text).filter(status => status >= 500)).toEqual([])
  expect(text).not.toMatch(/\n\s+at |node_modules/)
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200)
})

test('a thousand pipelined requests are all answered in order', async () => {
  const count = 1_000
  const raw = await open(
    'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count / 2),
  )
  await until('all answers', () => statuses(raw.received()).length === count)
  expect(statuses(raw.received()).map(status => status === 200)).toEqual(
    Array.from({ length: count }, (_, index) => index % 2 === 0),
  )
  raw.socket.destroy()
})

test('clients that disconnect at any point leave no trace', async () => {
  for (let round = 0; round < 50; round++) {
    const raw = await open(
      post('/api/studio/assets', [json, 'Content-Length: 50'], '{"type":"PROMPT","name":"a'),
    )
    raw.socket.resetAndDestroy()
    const list = await open(
      `GET /api/studio/assets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${person.token}\r\n\r\n`,
    )
    list.socket.resetAndDestroy()
  }
  expect((await person.at(api.url).send(listAssets)).status).toBe(200)
})
