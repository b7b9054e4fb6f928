import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAsset, updateAsset } from '#contract/studio/assets.ts'
import { wrongSettingsExit } from '#server/config.ts'
import { blocked } from '#tests/support/blocked.ts'
import { crowd } from '#tests/support/crowd.ts'
import { firstOf } from '#tests/support/elements.ts'
import {
  childrenOf,
  dataFolder,
  endAll,
  isAlive,
  type Patio,
  postmasterOf,
  processesOn,
  removeFolders,
  run,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { clientOf, readDemo } from './demo.ts'
import { openStream } from './stream.ts'

const asset = { type: 'PROMPT' as const, name: 'Before the end' }

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(async () => {
  await server?.close()
  endAll()
  removeFolders()
})

function startApi(settings: Record<string, string> = {}): Promise<Patio> {
  const { signInSecret, sessionKeys, databaseUrl } = server.config
  return start('api', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    ...settings,
  })
}

/** A change that waits for a row that another transaction has locked. */
async function changeOnSlowLock(url: string) {
  const client = person.at(url)
  const { id } = await client.call(createAsset, { body: asset })
  const blocker = new pg.Client({ connectionString: server.config.databaseUrl })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from asset where id = $1 for update', [id])
  const changed = client.send(updateAsset, { params: { id }, body: { name: 'After the end' } })
  await blocked(server)
  return {
    changed,
    async release() {
      await blocker.query('rollback')
      await blocker.end()
    },
  }
}

/** An upload that sends a byte from time to time and never ends. */
async function slowUpload(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST /api/studio/assets HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${person.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
  )
  const drip = setInterval(() => socket.write(' '), 100)
  socket.on('close', () => clearInterval(drip))
  return socket
}

async function refusesNewWork(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 503,
    () => true,
  )
}

test('SIGTERM: not ready at once, accepted requests finish, streams end with a retry time, exit', async () => {
  const api = await startApi()
  const stream = await openStream(api.url, person)
  const { changed, release } = await changeOnSlowLock(api.url)
  const ended = api.stop('SIGTERM')
  await until('nothing new is taken', () => refusesNewWork(api.url), 1_000)
  await until('the stream has ended', () => stream.ended() !== undefined, 2_000)
  expect(stream.ended()).toBe('complete')
  expect(stream.text()).toMatch(/\nretry: \d{4}\n\n$/)

  await release()
  expect((await changed).status, 'the request that was under way').toBe(200)
  const finishedAt = performance.now()
  expect((await ended).code).toBe(0)
  expect(performance.now() - finishedAt, 'a client that keeps its connection holds nothing up').toBeLessThan(
    3_000 * crowd(),
  )
})

test('with a delay before the drain, /readyz fails while requests are still served', async () => {
  const api = await startApi({ DRAIN_DELAY_SECONDS: '2', DRAIN_SECONDS: '3' })
  const streams = await Promise.all([1, 2, 3].map(() => openStream(api.url, person)))
  const upload = await slowUpload(api.url)
  const ended = api.stop('SIGTERM')
  const ready = async () => (await fetch(`${api.url}/readyz`)).status
  await until('the balancer is told', async () => (await ready()) === 503, 1_000)
  expect((await person.at(api.url).send(createAsset, { body: asset })).status).toBe(201)

  const { code, afterMs } = await ended
  expect(code).toBe(0)
  expect(afterMs, 'the slow upload has the time for the drain').toBeGreaterThan(5_000)
  expect(afterMs, 'exit within 5 s of it').toBeLessThan(10_000 * crowd())
  expect(streams.map(stream => stream.ended())).toEqual(['complete', 'complete', 'complete'])
  await until('the upload was cut off', () => upload.closed, 1_000)
})

test('a request on an open connection has its reply although the process stops, and the reply ends the connection', async () => {
  const api = await startApi({ DRAIN_DELAY_SECONDS: '1', DRAIN_SECONDS: '5' })
  const upload = await slowUpload(api.url)
  const [early, late] = [await beginRequest(api.url), await beginRequest(api.url)]
  const ended = api.stop('SIGTERM')
  await until('the balancer is told', () => refusesNewWork(api.url), 1_000)
  const whileReady = await early.end()
  const isRefused = () =>
    fetch(`${api.url}/healthz`).then(
      () => false,
      () => true,
    )
  await until('new connections are refused', isRefused)
  for (const reply of [whileReady, await late.end()]) {
    expect(reply).toMatch(/^HTTP\/1\.1 200 /)
    expect(reply).toMatch(/^connection: close\r$/im)
  }
  upload.destroy()
  expect((await ended).code).toBe(0)
})

/** A connection that has sent all of a request but its last line. `end` sends it, and resolves with all that is received. */
async function beginRequest(url: string): Promise<{ end(): Promise<string> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n`)
  return {
    async end() {
      const received = text(socket)
      socket.write('\r\n')
      return received
    },
  }
}

test('a second start on the same data, or at the same address, is refused; Ctrl-C then stops everything', async () => {
  const dataDir = await usedDataFolder()
  const patio = await start('up', { DATA_DIR: dataDir })
  const { port } = new URL(patio.url)
  const children = childrenOf(patio)

  const other = dataFolder()
  const [sameData, samePort] = await Promise.all([
    run('up', { DATA_DIR: dataDir }).exited,
    run('up', { DATA_DIR: other, PORT: port }).exited,
  ])
  expect(sameData.code).toBe(1)
  expect(sameData.output).toMatch(
    new RegExp(`^another Patio is already running on ${dataDir} \\(process ${patio.pid}\\)`),
  )
  expect(samePort.code).toBe(wrongSettingsExit)
  expect(samePort.output).toMatch(
    `127.0.0.1:${port} is in use by another program. Set PORT or HOST to another.\n`,
  )
  for (const { output } of [sameData, samePort]) expect(output, 'no stack trace').not.toMatch(/\n\s+at /)
  expect(processesOn(other)).toEqual([])

  // the first continues
  expect((await fetch(`${patio.url}/readyz`)).status).toBe(200)
  const client = await clientOf(patio.url, firstOf(firstOf(readDemo(dataDir).organizations).people))
  expect(childrenOf(patio)).toEqual(children)
  const stream = await openStream(patio.url, client)
  const pids = [...Object.values(children), postmasterOf(dataDir)]
  expect(pids.every(isAlive)).toBe(true)

  // a terminal sends it to everybody in the foreground
  process.kill(-patio.pid, 'SIGINT')
  const { code, output } = await patio.exited
  expect(code).toBe(0)
  expect(output).toMatch(/\nStopped\.\n$/)
  expect(stream.ended()).toBe('complete')
  expect(pids.filter(isAlive)).toEqual([])
  expect(processesOn(dataDir)).toEqual([])
  const next = await start('up', { DATA_DIR: dataDir, PORT: port })
  expect(next.url).toBe(patio.url)
  expect((await next.stop()).code).toBe(0)
})
