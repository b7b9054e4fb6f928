import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateOperatedOrganization } from '#contract/identity/operator.ts'
import {
  readOwnApplication,
  removeApplication,
  updateApplication,
} from '#contract/integrations/applications.ts'
import { revokeKey } from '#contract/integrations/keys.ts'
import type { Api } from '#server/api.ts'
import { crowd } from '#tests/support/crowd.ts'
import { findIn } from '#tests/support/elements.ts'
import {
  insertApplicationKey,
  makeApplication,
  type TestApplication,
} from '#tests/support/integrations/applications.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { digestOf } from './api-key.format.ts'

let server: TestServer
/** Allows a burst of 12 calls per key, and one more every 5 seconds. */
let narrow: TestServer
let org: Organization
let boss: Person
beforeAll(async () => {
  ;[server, narrow] = await Promise.all([startTestServer(), startTestServer({ ceilingFactor: 0.01 })])
  org = await server.organization()
  boss = await org.person({ role: 'OWNER' })
})
afterAll(() => Promise.all([server?.close(), narrow?.close()]))

// needs no row of the application
const path = '/api/external/v1/events/catalogue'
const ask = (key: string | undefined, init: RequestInit = {}, url = server.url) =>
  fetch(`${url}${path}`, { ...init, headers: { ...(key && { 'x-api-key': key }), ...init.headers } })
const codeOf = async (answer: Response) => {
  const { errorCode } = (await answer.json()) as { errorCode?: string }
  return `${answer.status} ${errorCode ?? ''}`.trim()
}

/** Calls more often than the limit allows, on any machine, and returns the first refusal. */
async function limited(asks: () => Promise<Response>): Promise<Response> {
  const answers = await Promise.all(Array.from({ length: 60 }, asks))
  return findIn(answers, ({ status }) => status === 429)
}

describe('authentication with an API key', () => {
  test('identifies the application', async () => {
    const app = await makeApplication(server, org, { scopes: ['analytics:errors:read', 'crm:leads:read'] })
    expect(await app.client.call(readOwnApplication)).toEqual({
      id: app.id,
      slug: app.slug,
      name: app.name,
      organizationId: org.id,
      scopes: ['analytics:errors:read', 'crm:leads:read'],
      key: { id: app.keyId, name: 'Planted', prefix: app.key.slice(0, 16), expiresAt: null },
    })
  })

  test('is refused in the order of checks (API-8)', async () => {
    const house = await server.organization({ plan: 'FREE' })
    const app = await makeApplication(server, house, { status: 'DISABLED' })
    const from = { headers: { origin: 'https://elsewhere.test' } }
    await server.sql('update organization set suspended_at = now() where id = $1', [house.id])
    const operator = await server.operator()
    const organization = (body: object) =>
      operator.call(updateOperatedOrganization, { params: { id: house.id }, body })
    expect(await codeOf(await ask(undefined, from))).toBe('401')
    expect(await codeOf(await ask(app.key, from))).toBe('403 ORGANIZATION_SUSPENDED')
    await organization({ suspended: false })
    expect(await codeOf(await ask(app.key, from))).toBe('403 APPLICATION_DISABLED')
    await organization({ plan: 'TEAM' })
    expect(await codeOf(await ask(app.key, from))).toBe('403 APPLICATION_DISABLED')
    const manager = await house.person({ role: 'OWNER' })
    const params = { id: app.id }
    await manager.call(updateApplication, { params, body: { status: 'ACTIVE' } })
    await organization({ plan: 'FREE' })
    expect(await codeOf(await ask(app.key, from))).toBe('403 ORIGIN_NOT_ALLOWED')
    const refused = await ask(app.key)
    expect(await refused.json()).toMatchObject({
      statusCode: 403,
      errorCode: 'MODULE_NOT_ENABLED',
      moduleKey: 'integrations',
    })
    await organization({ plan: 'TEAM' })
    expect((await ask(app.key)).status).toBe(200)
  })

  test('returns the same 401 for every invalid credential', async () => {
    const { key } = await makeApplication(server, org)
    const texts = await Promise.all(
      [undefined, '', 'x', key.slice(0, -1), boss.token].map(async wrong => {
        const answer = await ask(wrong)
        return `${answer.status} ${await answer.text()}`
      }),
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^401 /)
    // where people are known
    const bearer = await ask(undefined, { headers: { authorization: `Bearer ${key}` } })
    expect(bearer.status).toBe(401)
  })

  test('has a rate limit per key', async () => {
    const house = await narrow.organization({ plan: 'TEAM' })
    const app = await makeApplication(narrow, house)
    const second = await insertApplicationKey(narrow, app)
    const refused = await limited(() => ask(app.key, {}, narrow.url))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toMatchObject({ errorCode: 'RATE_LIMIT_EXCEEDED' })
    expect((await ask(second.key, {}, narrow.url)).status).toBe(200)
  })
})

describe('a browser', () => {
  const home = 'https://app.example.com'
  let open: TestApplication
  let closed: TestApplication
  beforeAll(async () => {
    open = await makeApplication(server, org, { origins: [home, 'http://localhost:5173'] })
    closed = await makeApplication(server, org)
  })
  const from = (origin: string) => ({ headers: { origin } })
  const cors = ({ headers }: Response) => [
    headers.get('access-control-allow-origin'),
    headers.get('vary'),
    headers.get('access-control-expose-headers'),
  ]

  test('may call from allowed origins and read refusals too', async () => {
    const good = await ask(open.key, from(home))
    expect([good.status, ...cors(good)]).toEqual([
      200,
      home,
      'Origin, Accept-Encoding',
      expect.stringContaining('Retry-After'),
    ])
    expect((await ask(open.key, from('http://localhost:5173'))).status).toBe(200)
    const house = await server.organization({ plan: 'FREE' })
    const poor = await makeApplication(server, house, { origins: [home] })
    const refused = await ask(poor.key, from(home))
    expect([refused.status, ...cors(refused).slice(0, 2)]).toEqual([403, home, 'Origin'])
    expect(good.headers.get('access-control-allow-credentials')).toBeNull()
    const app = await makeApplication(narrow, await narrow.organization({ plan: 'TEAM' }), {
      origins: [home],
    })
    const limit = await limited(() => ask(app.key, from(home), narrow.url))
    expect(cors(limit).slice(0, 2)).toEqual([home, 'Origin'])
  })

  test.each([
    'https://elsewhere.test',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.test',
    'https://sub.app.example.com',
    'https://APP.example.com',
    'https://app.example.com/',
    'null',
    '*',
    '',
  ])('may not from %j', async origin => {
    const answer = await ask(open.key, from(origin))
    expect([...cors(answer), await codeOf(answer)]).toEqual([null, 'Origin', null, '403 ORIGIN_NOT_ALLOWED'])
  })

  test('may not call without allowed origins, except from our own pages', async () => {
    const { publicUrl } = server.config
    for (const origin of [home, server.url, `${publicUrl}1`, publicUrl.replace('http', 'https')])
      expect(await codeOf(await ask(closed.key, from(origin)))).toBe('403 ORIGIN_NOT_ALLOWED')
    const ours = await ask(closed.key, from(publicUrl))
    expect([ours.status, ...cors(ours)]).toEqual([200, null, 'Origin, Accept-Encoding', null])
    // other clients send no origin
    const plain = await ask(closed.key)
    expect([plain.status, ...cors(plain)]).toEqual([200, null, 'Accept-Encoding', null])
  })

  test('gets the CORS preflight answer before it sends a key', async () => {
    const wanted = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }
    const preflight = (url: string, headers: Record<string, string>) =>
      fetch(`${server.url}${url}`, { method: 'OPTIONS', headers })
    const answer = await preflight(path, { origin: home, ...wanted })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
    for (const name of ['x-api-key', 'content-type', 'idempotency-key', 'x-request-id'])
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    // reveals nothing: every path and every origin gets the same answer
    const elsewhere = await preflight('/api/external/v1/no/such/path', { origin: 'null', ...wanted })
    expect(elsewhere.status).toBe(204)
    for (const [url, headers] of [
      [path, { origin: home }],
      [path, {}],
      ['/api/integrations/applications', { origin: home, ...wanted }],
    ] as const)
      expect((await preflight(url, headers)).status).toBe(405)
  })
})

describe('another process sees within two seconds', () => {
  const limitMs = 2_000
  let other: Api
  beforeAll(async () => {
    other = await server.anotherApi()
  })

  type Case = { app: TestApplication; house: Organization; owner: Person }
  const operated = async ({ house }: Case, body: object) =>
    (await server.operator()).call(updateOperatedOrganization, { params: { id: house.id }, body })
  const changes: [what: string, expected: string, change: (options: Case) => Promise<unknown>][] = [
    [
      'that a key was revoked',
      '401',
      ({ app, owner }) => owner.call(revokeKey, { params: { id: app.id, keyId: app.keyId } }),
    ],
    [
      'that an application was deleted',
      '401',
      ({ app, owner }) => owner.call(removeApplication, { params: { id: app.id } }),
    ],
    [
      'that an application was disabled',
      '403 APPLICATION_DISABLED',
      ({ app, owner }) =>
        owner.call(updateApplication, { params: { id: app.id }, body: { status: 'DISABLED' } }),
    ],
    [
      'that an origin was taken away',
      '403 ORIGIN_NOT_ALLOWED',
      ({ app, owner }) => owner.call(updateApplication, { params: { id: app.id }, body: { origins: [] } }),
    ],
    [
      'that its organization was suspended',
      '403 ORGANIZATION_SUSPENDED',
      options => operated(options, { suspended: true, reason: 'because the test wants to see it happen' }),
    ],
    [
      'that its organization has no integrations any more',
      '403 MODULE_NOT_ENABLED',
      options => operated(options, { modulesRemoved: ['integrations'] }),
    ],
  ]

  test.concurrent.each(changes)('%s', async (_what, expected, change) => {
    const house = await server.organization()
    const owner = await house.person({ role: 'OWNER' })
    const origin = 'https://app.example.com'
    const app = await makeApplication(server, house, { origins: [origin] })
    const bystander = await makeApplication(server, house, { origins: [origin] })
    const look = async () => codeOf(await ask(app.key, { headers: { origin } }, other.url))
    for (let times = 0; times < 3; times++) expect(await look()).toBe('200')
    await change({ app, house, owner })
    const startedAt = performance.now()
    for (;;) {
      const seen = await look()
      const ms = performance.now() - startedAt
      if (seen === expected) break
      if (ms > 2 * limitMs) throw new Error(`still ${seen} after ${Math.round(ms)} ms`)
      await new Promise(resolve => setTimeout(resolve, 25))
    }
    expect(performance.now() - startedAt).toBeLessThan(limitMs * crowd())
    // each application has its own origins
    if (expected.startsWith('401'))
      expect((await ask(bystander.key, { headers: { origin } }, other.url)).status).toBe(200)
  })

  test('that a key is new, even if it was tried before it existed', async () => {
    const app = await makeApplication(server, org)
    await server.sql('delete from application_key where application_id = $1', [app.id])
    expect((await ask(app.key, {}, other.url)).status).toBe(401)
    await insertRows(server, 'application_key', [
      { organization_id: org.id, application_id: app.id, digest: digestOf(app.key) },
    ])
    expect((await ask(app.key, {}, other.url)).status).toBe(200)
  })
})
