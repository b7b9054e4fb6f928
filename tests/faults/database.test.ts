import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStreamToken, readCaller } from '#contract/identity/sessions.ts'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import type { Answer, Client } from '#sdk/client.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined } from '#tests/support/elements.ts'
import {
  dataFolder,
  defaultTimeouts,
  endAll,
  isAlive,
  type Patio,
  removeFolders,
  start,
  until,
} from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault-proxy.ts'
import { openStream } from './stream.ts'

const answerMs = 5_000
const asset = { type: 'PROMPT' as const, name: 'Through the proxy' }

let server: TestServer
let proxy: FaultProxy
let api: Patio
let person: Person
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  proxy = await openFaultProxy(server.config.databaseUrl)
  // long statements are allowed here, and a silent network must still be detected
  api = await startApi(proxy.url, { STATEMENT_TIMEOUT_MS: '20000' })
  person = await (await server.organization()).person({ role: 'OWNER' })
  client = person.at(api.url)
  await client.call(createAsset, { body: asset })
})
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(api.output().slice(-200_000)))
})
afterEach(() => proxy.heal())
afterAll(async () => {
  await api?.stop()
  await proxy?.close()
  await server?.close()
  endAll()
  removeFolders()
})

function startApi(databaseUrl: string, env: Record<string, string> = {}): Promise<Patio> {
  const { signInSecret, sessionKeys } = server.config
  return start('api', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    ...defaultTimeouts,
    ...env,
  })
}

async function readyz(url = api.url): Promise<number> {
  return (await fetch(`${url}/readyz`)).status
}

type Reply = {
  status: number
  ms: number
  retryAfter: string | null
  errorCode: string | undefined
  what: string
}

/** One request of each kind at once: a read, a change, a token, a sign-in, a stream. */
function oneOfEach(): Promise<Reply[]> {
  const timed = async (
    what: string,
    ask: () => Promise<Pick<Answer<unknown>, 'status' | 'headers' | 'body'>>,
  ) => {
    const startedAt = performance.now()
    const { status, headers, body } = await ask()
    const { errorCode } = (body ?? {}) as { errorCode?: string }
    return {
      what,
      status,
      errorCode,
      ms: performance.now() - startedAt,
      retryAfter: headers.get('retry-after'),
    }
  }
  const raw = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${api.url}${path}`, init)
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  const signIn = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@example.test', password: 'a password of nobody' }),
  }
  return Promise.all([
    timed('read', () => client.send(listAssets)),
    timed('change', () => client.send(createAsset, { body: asset })),
    timed('caller', () => client.send(readCaller)),
    timed('sign-in', () => raw('/api/auth/sign-in/email', signIn)),
  ])
}

/** Sends requests repeatedly, more at once than there are connections, and returns all statuses. */
async function askThroughout(ms: number): Promise<Reply[]> {
  const waves: Promise<Reply[]>[] = []
  const until = performance.now() + ms
  while (performance.now() < until) {
    for (let queue = 0; queue < 4; queue++) waves.push(oneOfEach())
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return (await Promise.all(waves)).flat()
}

function assertRefusedInTime(answers: Reply[]): void {
  const late = answers.filter(({ ms }) => ms > answerMs * crowd())
  expect(late, 'answers that took longer than 5 s').toEqual([])
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, errorCode: 'UNAVAILABLE' })
    expect(Number(answer.retryAfter), answer.what).toBeGreaterThanOrEqual(1)
  }
}

async function works(): Promise<boolean> {
  const answers = await oneOfEach()
  // the sign-in of an unknown person may also be limited by then
  const good: Record<string, number[]> = { read: [200], change: [201], caller: [200], 'sign-in': [401, 429] }
  return answers.every(({ what, status }) => defined(good[what]).includes(status))
}

async function assertRecovers(): Promise<void> {
  await until('ready again', async () => (await readyz()) === 200, 2_000)
  await until('everything works again', works, 10_000)
  expect(isAlive(api.pid)).toBe(true)
  expect(api.lines().filter(line => line.level >= 60)).toEqual([])
}

test('cut connections are replaced, and an open stream continues', async () => {
  const stream = await openStream(api.url, client)
  for (let round = 0; round < 3; round++) {
    proxy.cut()
    for (const { status } of await oneOfEach()) expect([200, 201, 401, 429, 503]).toContain(status)
    await until('everything works', works, 2_000)
  }
  const { id } = await client.call(createAsset, { body: asset })
  await stream.shows(id)
  expect(stream.ended()).toBeUndefined()
  stream.close()
})

test.each(['refuse', 'swallow'] as const)(
  'a database outage (%s): 503 within 5 s, not ready within 2 s, and a recovery',
  async fault => {
    const stream = await openStream(api.url, client)
    await proxy[fault]()
    const [answers, notReadyMs] = await Promise.all([
      askThroughout(7_000),
      until('not ready', async () => (await readyz()) === 503, 2_000),
    ])
    expect(notReadyMs).toBeLessThan(2_000 * crowd())
    assertRefusedInTime(answers)
    expect((await fetch(`${api.url}/healthz`)).status, 'alive, whatever the database does').toBe(200)

    await proxy.heal()
    await assertRecovers()
    const { id } = await client.call(createAsset, { body: asset })
    if (stream.ended() === undefined) await stream.shows(id)
    else expect(stream.ended()).toBe('complete')
    stream.close()
    const anew = await openStream(api.url, client)
    const { id: next } = await client.call(createAsset, { body: asset })
    await anew.shows(next)
    anew.close()
  },
)

test('a request that gets no connection in time gets 503, and those that have one continue', async () => {
  const impatient = await startApi(server.config.databaseUrl, {
    POOL_SIZE: '2',
    CONNECTION_TIMEOUT_MS: '300',
    STATEMENT_TIMEOUT_MS: '60000',
  })
  const { send } = person.at(impatient.url)
  const blocker = new pg.Client({ connectionString: server.config.databaseUrl })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table asset in access exclusive mode')
  const held = [send(listAssets), send(listAssets)]
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('both wait for the lock', async () => (await server.sql(waits)).length === 2)
  const { status, headers } = await send(listAssets)
  expect([status, headers.get('retry-after')]).toEqual([503, '2'])

  await blocker.query('rollback')
  await blocker.end()
  expect((await Promise.all(held)).map(answer => answer.status)).toEqual([200, 200])
  expect((await impatient.stop()).code).toBe(0)
})

test('a slow statement is cancelled with 503, and others are not delayed', async () => {
  const impatient = await startApi(server.config.databaseUrl, { STATEMENT_TIMEOUT_MS: '2000' })
  const blocker = new pg.Client({ connectionString: server.config.databaseUrl })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table asset in access exclusive mode')
  const startedAt = performance.now()
  const { status, headers } = await person.at(impatient.url).send(listAssets)
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toMatch(/^[1-9]/)
  expect(performance.now() - startedAt).toBeLessThan(5_000 * crowd())
  expect((await person.at(impatient.url).send(createStreamToken)).status).toBe(201)
  expect(await readyz(impatient.url)).toBe(200)

  const waiting = performance.now()
  const patient = await client.send(createAsset, { body: asset })
  expect(patient.status, `a lock that is not given in time: ${api.output().slice(-4000)}`).toBe(503)
  expect(performance.now() - waiting).toBeLessThan(answerMs * crowd())

  await blocker.query('rollback')
  await blocker.end()
  expect((await person.at(impatient.url).send(listAssets)).status).toBe(200)
  expect((await impatient.stop()).code).toBe(0)
})
