import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { createKey, listKeys, revokeKey } from '#contract/integrations/keys.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { blocked } from '#tests/support/blocked.ts'
import { defined, exactly, findIn, itemAt, mapAll, only } from '#tests/support/elements.ts'
import {
  insertApplicationKey,
  makeApplication,
  type TestApplication,
} from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { lockApplication } from '../applications/application.access.ts'
import { digestOf, newKey } from './api-key.format.ts'
import { insertKey } from './api-key.sql.ts'

let server: TestServer
let org: Organization
let manager: Person
let clerk: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  manager = await org.person({ role: 'ADMIN' })
  clerk = await org.person({ permissions: ['STUDIO_VIEW'] })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const day = 86_400_000
const make = (who: Person, id: string, body: Record<string, unknown> = { name: 'Server' }) =>
  who.send(createKey, { params: { id }, body: body as never })
/** One without a key. */
async function bare(): Promise<TestApplication> {
  const made = await makeApplication(server, org)
  await server.sql('delete from application_key where application_id = $1', [made.id])
  return made
}
const opens = async (key: string) =>
  (await server.client(undefined).send(readOwnApplication, { headers: { 'x-api-key': key } })).status

describe('creating a key', () => {
  test('shows the key once and stores only its digest', async () => {
    const { id } = await bare()
    const made = await make(manager, id, { name: ' Server ', expiresInDays: 7 })
    expect(made.status).toBe(201)
    const { key, id: keyId, prefix, ...rest } = made.body
    const { createdAt, expiresAt } = rest
    expect(rest).toEqual({
      name: 'Server',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(Date.parse(defined(expiresAt)) - Date.parse(createdAt)).toBe(7 * day)
    expect(key).toMatch(/^patio_app_[0-9A-Za-z]{73}$/)
    expect(key.startsWith(prefix)).toBe(true)
    const rows = await server.sql('select * from application_key where id = $1', [keyId])
    expect(rows).toMatchObject([{ digest: digestOf(key), created_by: manager.id, application_id: id }])
    expect(JSON.stringify(rows)).not.toContain(key)
    const listed = await manager.send(listKeys, { params: { id } })
    expect(listed.body).toEqual({ items: [{ id: keyId, prefix, ...rest }], total: 1, limit: 20, offset: 0 })
    expect(listed.text).not.toContain(key)
    expect(await opens(key)).toBe(200)
    expect(server.logged()).not.toContain(key)
  })

  test('lasts until it is revoked, or until it expires', async () => {
    const { id } = await bare()
    expect((await make(manager, id)).body.expiresAt).toBeNull()
    for (const body of [
      { name: 'x', expiresInDays: limits.applicationKeyDays + 1 },
      { name: 'x', expiresInDays: 0 },
      { name: 'x', expiresInDays: 1.5 },
      { name: 'x'.repeat(limits.applicationKeyName + 1) },
      { name: ' ' },
      { name: 'x', scopes: [] },
      {},
    ])
      expect(await make(manager, id, body)).toMatchObject({ status: 400 })
    expect((await make(manager, id, { name: 'x', expiresInDays: limits.applicationKeyDays })).status).toBe(
      201,
    )
  })

  test('allows two active keys, also for concurrent requests', async () => {
    const { id } = await bare()
    const answers = await Promise.all(Array.from({ length: 6 }, () => make(manager, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
    const refused = findIn(answers, ({ status }) => status === 409)
    expect(refused.body).toMatchObject({ errorCode: 'TOO_MANY_KEYS', limit: 2 })

    // revoked and expired keys do not count
    const [first, second] = exactly(2, (await manager.call(listKeys, { params: { id } })).items)
    await manager.call(revokeKey, { params: { id, keyId: first.id } })
    expect((await make(manager, id)).status).toBe(201)
    expect((await make(manager, id)).status).toBe(409)
    await server.sql(
      'update application_key set expires_at = now() - make_interval(secs => 0.001) where id = $1',
      [second.id],
    )
    expect((await make(manager, id)).status).toBe(201)
    expect((await make(manager, id)).status).toBe(409)
  })

  test('counts a key that is being created', async () => {
    const one = await makeApplication(server, org)
    const key = newKey(org.id)
    const newKeyRow = { name: 'Second', digest: digestOf(key), prefix: '', createdBy: manager.id, days: null }
    let third: ReturnType<typeof make> | undefined
    await server.api.services.database.transact(org.id, async tx => {
      await lockApplication(tx, one.id)
      expect(await insertKey(tx, one.id, newKeyRow)).toBeDefined()
      third = make(manager, one.id)
      await blocked(server)
    })
    expect(await third).toMatchObject({ status: 409, body: { errorCode: 'TOO_MANY_KEYS' } })
  })

  test('is limited per hour', async () => {
    const { id } = await bare()
    const eager = await org.person({ role: 'ADMIN' })
    await make(eager, id)
    await setUsed(server, limits.applicationKeysPerHour, { caller: `%${eager.id}` })
    expect(await make(eager, id)).toMatchObject({ status: 429, body: { errorCode: 'RATE_LIMIT_EXCEEDED' } })
  })

  test('lists only the last expired keys', async () => {
    const one = await bare()
    for (let at = 0; at < limits.endedApplicationKeysMax + 3; at++) await insertApplicationKey(server, one)
    await server.sql('update application_key set revoked_at = now() where application_id = $1', [one.id])
    const ids = await server.sql<{ id: string }>(
      'select id from application_key where application_id = $1 order by id desc limit $2',
      [one.id, limits.endedApplicationKeysMax],
    )
    const { id } = (await make(manager, one.id)).body
    const { items, total } = await manager.call(listKeys, { params: { id: one.id }, query: { limit: 100 } })
    expect(total).toBe(limits.endedApplicationKeysMax + 1)
    expect(items.map(key => key.id)).toEqual([id, ...ids.map(row => row.id)])
  })
})

describe('access', () => {
  test('needs the permission, and an application of the same organization', async () => {
    const theirs = await makeApplication(server, org)
    const calls = (who: Person, id: string) => [
      make(who, id),
      who.send(listKeys, { params: { id } }),
      who.send(revokeKey, { params: { id, keyId: theirs.keyId } }),
    ]
    for (const answer of await Promise.all(calls(clerk, theirs.id)))
      expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    const [foreign, unknown] = await mapAll([theirs.id, newId()], id => Promise.all(calls(stranger, id)))
    for (const [at, answer] of foreign.entries()) {
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
      expect(answer.text).toBe(itemAt(unknown, at).text)
    }
    expect((await theirs.client.send(readOwnApplication)).status).toBe(200)
  })

  test('is refused in an organization without integrations', async () => {
    const free = await (await server.organization({ plan: 'FREE' })).person({ role: 'OWNER' })
    expect(await make(free, newId())).toMatchObject({
      status: 403,
      body: { errorCode: 'MODULE_NOT_ENABLED', moduleKey: 'integrations' },
    })
  })
})

describe('revoking', () => {
  test('stops a key at once, while the other one keeps working', async () => {
    const { id, client, keyId, key } = await makeApplication(server, org)
    const other = (await make(manager, id)).body
    expect(await opens(other.key)).toBe(200)
    expect((await client.send(readOwnApplication)).body.key.id).toBe(keyId)
    await manager.call(revokeKey, { params: { id, keyId } })
    expect(await opens(key)).toBe(401)
    expect(await opens(other.key)).toBe(200)
    const { items } = await manager.call(listKeys, { params: { id } })
    expect(items.map(one => [one.id, one.revokedAt !== null])).toEqual([
      [other.id, false],
      [keyId, true],
    ])
    const again = await mapAll([keyId, newId()], gone =>
      manager.send(revokeKey, { params: { id, keyId: gone } }),
    )
    expect(again[0]).toMatchObject({ status: 404, body: { errorCode: 'KEY_NOT_FOUND' } })
    expect(again[1].text).toBe(again[0].text)
  })

  test('refuses a key of another application', async () => {
    const [one, other] = [await makeApplication(server, org), await makeApplication(server, org)]
    const answer = await manager.send(revokeKey, { params: { id: one.id, keyId: other.keyId } })
    expect(answer).toMatchObject({ status: 404, body: { errorCode: 'KEY_NOT_FOUND' } })
    expect(await opens(other.key)).toBe(200)
  })

  test('succeeds only once for concurrent requests', async () => {
    const { id, keyId } = await makeApplication(server, org)
    const answers = await Promise.all([1, 2].map(() => manager.send(revokeKey, { params: { id, keyId } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  test('is audited like creating one, without the key', async () => {
    const who = await org.person({ role: 'ADMIN' })
    const { id } = await bare()
    const { id: keyId, key } = (await make(who, id)).body
    await who.call(revokeKey, { params: { id, keyId } })
    await server.relayed()
    const path = '/api/integrations/applications/:id/keys'
    const rows = await server.sql<{ operation: string }>(
      'select operation, subject, changed, auth from audit where actor_id = $1 order by seq',
      [who.id],
    )
    expect(rows).toEqual([
      { operation: `POST ${path}`, subject: keyId, changed: ['name', 'expiresAt'], auth: 'session' },
      { operation: `DELETE ${path}/:keyId`, subject: keyId, changed: ['revokedAt'], auth: 'session' },
    ])
    const everything = await server.sql(
      'select t::text from audit t union all select k::text from application_key k',
    )
    expect(JSON.stringify(everything)).not.toContain(key)
  })
})

describe('a key is refused', () => {
  test('once it expired, even if it is cached', async () => {
    const { key, keyId } = await makeApplication(server, org)
    await server.sql(
      `update application_key set expires_at = (select clock_timestamp()) + interval '300 milliseconds' where id = $1`,
      [keyId],
    )
    expect(await opens(key)).toBe(200)
    await expect.poll(() => opens(key), { interval: 20 }).toBe(401)
  })

  test('if it is mistyped, truncated or invented, without a query', async () => {
    const { key } = await makeApplication(server, org)
    const swapped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`
    const [, , , ...rest] = await Promise.all([
      opens(key),
      opens(newKey(org.id)),
      opens(newKey(newId())),
      ...[swapped, key.slice(0, -1), `${key}0`, key.toUpperCase(), 'patio_app_', 'x'.repeat(5_000)].map(
        opens,
      ),
    ])
    expect(new Set(rest)).toEqual(new Set([401]))
    expect(await opens(newKey(org.id))).toBe(401)
    expect(await opens(newKey(newId()))).toBe(401)

    // the format decides without a query, even without a database
    const seen: unknown[] = []
    const { pool } = server.api.services.database
    const query = pool.query
    pool.query = ((...options: unknown[]) => {
      seen.push(options[0])
      return (query as (...args: unknown[]) => unknown).apply(pool, options)
    }) as never
    try {
      await opens(swapped)
      const ofKeys = () => seen.filter(one => JSON.stringify(one).includes('application_key'))
      expect(ofKeys()).toEqual([])
      await opens(newKey(org.id))
      expect(ofKeys()).toHaveLength(1)
    } finally {
      pool.query = query
    }
  })

  test('by operations of people and tools, as a session is by those of applications', async () => {
    const { key } = await makeApplication(server, org)
    expect((await server.client(key).send(listKeys, { params: { id: newId() } })).status).toBe(401)
    expect(await opens(manager.token)).toBe(401)
    expect((await server.client(manager.token).send(readOwnApplication)).status).toBe(401)
  })

  test('its last use is recorded to the minute', async () => {
    const { id, key } = await makeApplication(server, org)
    const lastUse = async () => only((await manager.call(listKeys, { params: { id } })).items).lastUsedAt
    expect(await lastUse()).toBeNull()
    await opens(key)
    await expect.poll(lastUse).not.toBeNull()
    const noted = await lastUse()
    const other = await server.anotherApi()
    await fetch(`${other.url}/api/external/v1/application`, { headers: { 'x-api-key': key } })
    await opens(key)
    expect(await lastUse()).toBe(noted)
  })
})
