import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createClient } from '#contract/crm/clients.ts'
import * as contract from '#contract/identity/sessions.ts'
import { openPeopleStream } from '#contract/identity/stream.ts'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { openCatalogStream } from '#contract/studio/stream.ts'
import { type DemoPerson, readDemo } from '#tests/faults/demo.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import { codeOf } from '#tests/support/identity/totp.ts'
import {
  childrenOf,
  endAll,
  isAlive,
  type Patio,
  removeFolders,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { connect } from './client.ts'
import { listAll } from './pages.ts'
import * as own from './routes.ts'
import { signIn } from './session.ts'
import { openStream, type StreamEvent } from './stream.ts'

let patio: Patio
let demo: ReturnType<typeof readDemo>
let owner: DemoPerson
beforeAll(async () => {
  const folder = await usedDataFolder()
  patio = await start('up', { DATA_DIR: folder })
  demo = readDemo(folder)
  owner = firstOf(firstOf(demo.organizations).people)
})
afterAll(async () => {
  vi.useRealTimers()
  await patio?.stop()
  endAll()
  removeFolders()
})

test('a person signs in with a password, and a wrong one is refused', async () => {
  const session = await signIn(patio.url, owner)
  expect((await session.call(contract.readCaller)).person.id).toBe(owner.id)
  const refused = signIn(patio.url, { ...owner, password: 'not the one' })
  await expect(refused).rejects.toMatchObject({
    status: 401,
    body: { errorCode: 'INVALID_EMAIL_OR_PASSWORD' },
  })
})

test('the session token is renewed before it expires, once for concurrent calls', async () => {
  const session = await signIn(patio.url, owner)
  const first = await session.token()
  expect(await session.token()).toBe(first)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const renewed = await Promise.all([session.token(), session.token(), session.token()])
  vi.useRealTimers()
  expect(new Set(renewed).size).toBe(1)
  expect(renewed[0]).not.toBe(first)
})

test('a refused token is replaced and the call retried; a second refusal is final', async () => {
  const { token } = await (await signInAccount()).call(contract.getSessionToken)
  const refusals: boolean[] = []
  const client = connect(patio.url, {
    token: async isRefused => {
      refusals.push(isRefused)
      return isRefused ? token : 'ended'
    },
  })
  expect((await client.call(contract.readCaller)).person.id).toBe(owner.id)
  expect(refusals).toEqual([false, true])
  const hopeless = connect(patio.url, { token: async () => 'ended' })
  await expect(hopeless.call(contract.readCaller)).rejects.toMatchObject({ status: 401 })
})

async function signInAccount() {
  const answer = await fetch(`${patio.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  })
  return connect(patio.url, { token: ((await answer.json()) as { token: string }).token })
}

test('a second factor is requested if the account has one', async () => {
  const person = itemAt(firstOf(demo.organizations).people, 3)
  const { email, password } = person
  const headers = { 'Content-Type': 'application/json' }
  const post = async (path: string, body: object, more = {}) => {
    const answer = await fetch(`${patio.url}/api/auth${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as Record<string, string>
  }
  const { token } = await post('/sign-in/email', { email, password })
  const account = { Authorization: `Bearer ${token}` }
  const { totpURI = '' } = await post('/two-factor/enable', { password }, account)
  await post('/two-factor/verify-totp', { code: codeOf(totpURI) }, account)

  await expect(signIn(patio.url, person)).rejects.toThrow('This account has a second factor')
  const session = await signIn(patio.url, { ...person, code: async () => codeOf(totpURI, 1) })
  expect((await session.call(contract.readCaller)).person.id).toBe(person.id)
})

test('after signing out, calls are refused', async () => {
  const session = await signIn(patio.url, owner)
  await session.call(contract.readCaller)
  await session.signOut()
  await expect(session.token()).rejects.toMatchObject({ status: 401 })
})

test('a stream resumes after the server was killed: every event once, in order', async () => {
  const session = await signIn(patio.url, owner)
  const stop = new AbortController()
  const events: StreamEvent[] = []
  const reasons: unknown[] = []
  const reading = (async () => {
    const options = { signal: stop.signal, onReconnect: (reason: unknown) => void reasons.push(reason) }
    for await (const event of openStream(session, openCatalogStream, options)) events.push(event)
  })()
  const named = (name: string) => events.some(({ data }) => data.name === name || data.slug === name)
  const create = (name: string) =>
    session.call(createAsset, { body: { type: 'PROMPT', name, visibility: 'ORGANIZATION' } })
  await until('the stream is open', () => events.some(({ event }) => event === 'connected'))
  await create('before')
  await until('the first event arrives', () => named('before'))

  const { api } = childrenOf(patio)
  process.kill(api, 'SIGKILL')
  await until('the process is gone', () => !isAlive(api))
  await until('another one serves', async () => {
    const answer = await fetch(`${patio.url}/readyz`).catch(() => undefined)
    return answer?.status === 200
  })
  await create('after')
  await until('the next event arrives', () => named('after'))
  stop.abort()
  await reading
  expect(reasons.length).toBeGreaterThan(0)
  const created = events.filter(({ event }) => event === 'asset-created')
  expect(created.map(({ data }) => data.slug)).toEqual(['before', 'after'])
})

test("the people's stream says which objects changed", async () => {
  const session = await signIn(patio.url, owner)
  const stop = new AbortController()
  let clientId: string | undefined
  for await (const { event, data } of openStream(session, openPeopleStream, { signal: stop.signal })) {
    if (event === 'connected') clientId = (await session.call(createClient, { body: { name: 'Shown' } })).id
    const created = event === 'client-changed' ? (data.createdIds as string[]) : []
    if (clientId !== undefined && created.includes(clientId)) stop.abort()
  }
  expect(clientId).toBeDefined()
})

test('a forbidden stream is refused with its reason', async () => {
  const client = connect(patio.url, { token: 'wrong' })
  const reading = openStream(client, openCatalogStream).next()
  await expect(reading).rejects.toMatchObject({ status: 401 })
})

test('a list is iterated to its end, page by page', async () => {
  const session = await signIn(patio.url, owner)
  const { total, items } = await session.call(listAssets, { query: { limit: 100 } })
  const names: string[] = []
  for await (const { name } of listAll(session, listAssets, { query: { limit: 2 } })) names.push(name)
  expect(total).toBeGreaterThan(4)
  expect(names).toEqual(items.map(({ name }) => name))
})

test("the client's own routes equal those of the contract", () => {
  expect(contract.getSessionToken).toMatchObject(own.getSessionToken)
  expect(contract.createStreamToken).toMatchObject(own.createStreamToken)
})
