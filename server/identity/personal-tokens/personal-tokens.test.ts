import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import {
  createPersonalToken,
  listPersonalTokens,
  revokePersonalToken,
} from '#contract/identity/personal-tokens.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { blocked } from '#tests/support/blocked.ts'
import { atLeast, defined, only } from '#tests/support/elements.ts'
import { makeToken, plantToken } from '#tests/support/identity/personal-tokens.ts'
import { setUsed } from '#tests/support/rates.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { digestOf, newToken } from './personal-token.format.ts'
import { insertToken, removeOldTokens } from './personal-token.sql.ts'

let server: TestServer
let org: Organization
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  person = await org.person()
})
afterAll(() => server?.close())

const known = async (token: string) => server.api.identity.recognise.tool(token)
const make = (who: Person, body: Record<string, unknown>) =>
  who.send(createPersonalToken, { body: body as never })
const day = 86_400_000

describe('creating', () => {
  test('shows the token once, and stores only its digest', async () => {
    const made = await make(person, { name: '  Laptop ', expiresInDays: 7 })
    expect(made.status).toBe(201)
    const { token, id, prefix, ...rest } = made.body
    expect(rest).toEqual({
      name: 'Laptop',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
    })
    expect(token.startsWith(prefix)).toBe(true)
    expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(7 * day)
    const rows = await server.sql('select * from personal_token where id = $1', [id])
    expect(rows).toMatchObject([{ digest: digestOf(token), person_id: person.id }])
    expect(JSON.stringify(rows)).not.toContain(token)
    const listed = await person.send(listPersonalTokens)
    expect(listed.body.items).toContainEqual({ id, prefix, ...rest })
    expect(listed.text).not.toContain(token)
  })

  test('lasts 90 days by default, a year at most', async () => {
    const made = await make(person, { name: 'Default' })
    expect(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt)).toBe(90 * day)
    expect((await make(person, { name: 'Year', expiresInDays: 365 })).status).toBe(201)
    for (const body of [
      { name: 'x', expiresInDays: 366 },
      { name: 'x', expiresInDays: 0 },
      { name: 'x', expiresInDays: 1.5 },
      { name: 'x', expiresInDays: null },
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(limits.personalTokenName + 1) },
      { name: 'x', scopes: ['all'] },
      {},
    ])
      expect(await make(person, body)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })

  test('is recorded without the token', async () => {
    const clerk = await org.person()
    const { id, token } = (await make(clerk, { name: 'Recorded' })).body
    await clerk.call(revokePersonalToken, { params: { id } })
    await server.relayed()
    const rows = await server.sql<{ operation: string }>(
      'select operation, subject, changed, actor_id, auth from audit where actor_id = $1 order by seq',
      [clerk.id],
    )
    const by = { subject: id, actor_id: clerk.id, auth: 'session' }
    expect(rows).toEqual([
      { ...by, operation: 'POST /api/auth/personal-tokens', changed: ['name', 'expiresAt'] },
      { ...by, operation: 'DELETE /api/auth/personal-tokens/:id', changed: ['revokedAt'] },
    ])
    const everything = await server.sql(
      `select t::text from audit t union all select t::text from personal_token t`,
    )
    expect(JSON.stringify(everything)).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  test('allows a person a maximum number, also concurrently', async () => {
    const busy = await org.person()
    const answers = await Promise.all(
      Array.from({ length: limits.personalTokens + 5 }, (_, at) => make(busy, { name: `Token ${at}` })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limits.personalTokens)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { errorCode: 'TOO_MANY_TOKENS', limit: 20 } })

    // what is over does not count: neither revoked nor expired
    const [first, second] = atLeast(2, (await busy.call(listPersonalTokens)).items)
    await busy.call(revokePersonalToken, { params: { id: first.id } })
    expect((await make(busy, { name: 'Again' })).status).toBe(201)
    expect((await make(busy, { name: 'Too many' })).status).toBe(409)
    await server.sql(
      'update personal_token set expires_at = now() - make_interval(secs => 0.001) where id = $1',
      [second.id],
    )
    expect((await make(busy, { name: 'After expiry' })).status).toBe(201)
  })

  test('counts a token that is being created', async () => {
    const busy = await org.person()
    for (let at = 1; at < limits.personalTokens; at++) await plantToken(server, busy)
    const token = newToken(org.id)
    const last = { personId: busy.id, name: 'Last', digest: digestOf(token), prefix: token.slice(0, 16) }
    let second: ReturnType<typeof make> | undefined
    await server.api.services.database.transact(org.id, async tx => {
      expect(await insertToken(tx, { ...last, expiresInDays: 1 })).toBeDefined()
      second = make(busy, { name: 'One too many' })
      await blocked(server)
    })
    expect(await second).toMatchObject({ status: 409, body: { errorCode: 'TOO_MANY_TOKENS' } })
  })

  test('has an hourly limit', async () => {
    const eager = await org.person()
    await make(eager, { name: 'One' })
    await setUsed(server, limits.personalTokensPerHour, { caller: `%${eager.id}` })
    expect(await make(eager, { name: 'Two' })).toMatchObject({
      status: 429,
      body: { errorCode: 'RATE_LIMIT_EXCEEDED' },
    })
  })
})

describe('the list', () => {
  test('lists own tokens of this organization, newest first, in pages', async () => {
    const owner = await org.person({ role: 'OWNER' })
    const names = ['a', 'b', 'c']
    for (const name of names) await make(owner, { name })
    const whole = await owner.call(listPersonalTokens)
    expect(whole.items.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    expect(await owner.call(listPersonalTokens, { query: { limit: 1, offset: 1 } })).toEqual({
      items: [whole.items[1]],
      total: 3,
      limit: 1,
      offset: 1,
    })
    // an owner does not see what others have
    expect(whole.items.map(({ name }) => name)).not.toContain('Laptop')
  })

  test('does not list revoked or deleted tokens', async () => {
    const who = await org.person()
    const { id } = (await make(who, { name: 'Gone' })).body
    await who.call(revokePersonalToken, { params: { id } })
    expect(await who.call(listPersonalTokens)).toMatchObject({ items: [], total: 0 })
  })
})

describe('revoking', () => {
  test("another person's, another organization's and a revoked token get the same reply as an unknown one", async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const colleague = await org.person({ role: 'OWNER' })
    const theirs = (await make(stranger, { name: 'Theirs' })).body.id
    const mates = (await make(colleague, { name: 'Mates' })).body.id
    const mine = (await make(person, { name: 'Mine' })).body.id
    await person.call(revokePersonalToken, { params: { id: mine } })
    const answers = await Promise.all(
      [theirs, mates, mine, newId()].map(id => person.send(revokePersonalToken, { params: { id } })),
    )
    expect(answers[0]).toMatchObject({ status: 404, body: { errorCode: 'TOKEN_NOT_FOUND' } })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('is recorded once for two concurrent calls', async () => {
    const { id } = (await make(person, { name: 'Twice' })).body
    const answers = await Promise.all([1, 2].map(() => person.send(revokePersonalToken, { params: { id } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})

describe('using a token', () => {
  test('has the rights of its person, and is refused by operations for people', async () => {
    const viewer = await org.person({ permissions: ['STUDIO_VIEW'] })
    const token = await makeToken(viewer)
    const caller = defined(await known(token))
    expect([caller.auth, caller.personId, caller.organizationId, [...caller.permissions]]).toEqual([
      'personalToken',
      viewer.id,
      org.id,
      ['STUDIO_VIEW'],
    ])
    expect((await server.client(token).send(readCaller)).status).toBe(401)
    expect((await server.client(token).send(listPersonalTokens)).status).toBe(401)
    expect(await known(viewer.token)).toBeUndefined()
  })

  test('is refused after its end on every process', async () => {
    const token = await makeToken(person)
    expect(await known(token)).toBeDefined()
    await server.sql(
      'update personal_token set expires_at = now() - make_interval(secs => 0.001) where digest = $1',
      [digestOf(token)],
    )
    server.api.services.forget?.(org.id, person.id)
    expect(await known(token)).toBeUndefined()
    // remembered, but not beyond its end
    const short = await plantToken(server, person)
    await server.sql(
      `update personal_token set expires_at = (select clock_timestamp()) + interval '200 milliseconds' where digest = $1`,
      [digestOf(short)],
    )
    expect(await known(short)).toBeDefined()
    await expect.poll(() => known(short), { interval: 20 }).toBeUndefined()
  })

  test('is refused after its person left and returned', async () => {
    const house = await server.organization()
    const boss = await house.person({ role: 'OWNER' })
    const guest = await house.person()
    const token = await makeToken(guest)
    expect(await known(token)).toBeDefined()
    await boss.call(removeMember, { params: { personId: guest.id } })
    expect(await known(token)).toBeUndefined()
    await server.sql(`update membership set removed_at = null, created_at = now() where person_id = $1`, [
      guest.id,
    ])
    server.api.services.forget?.(house.id, null)
    expect(await known(token)).toBeUndefined()
    expect(await guest.call(listPersonalTokens)).toMatchObject({ items: [], total: 0 })
    expect(await known(await makeToken(guest))).toBeDefined()
  })

  test('a well-formed unknown token costs one query', async () => {
    expect(await known(newToken(org.id))).toBeUndefined()
    expect(await known(newToken(newId()))).toBeUndefined()
    expect(await known('patio_pat_nonsense')).toBeUndefined()
  })
})

test('its last use is recorded to the minute', async () => {
  const who = await org.person()
  const token = await makeToken(who)
  const lastUse = async () => only((await who.call(listPersonalTokens)).items).lastUsedAt
  expect(await lastUse()).toBeNull()
  await known(token)
  await expect.poll(lastUse).not.toBeNull()
  const noted = await lastUse()
  const other = await server.anotherApi()
  await other.identity.recognise.tool(token)
  await known(token)
  expect(await lastUse()).toBe(noted)
})

test('ended tokens are stored for a while', async () => {
  const who = await org.person()
  const ids = await Promise.all(
    ['works', 'over', 'long over', 'revoked long ago'].map(async name => (await make(who, { name })).body.id),
  )
  const age = (days: number) => `now() - interval '${days} days'`
  await server.sql(`update personal_token set expires_at = ${age(29)} where id = $1`, [ids[1]])
  await server.sql(`update personal_token set expires_at = ${age(31)} where id = $1`, [ids[2]])
  await server.sql(`update personal_token set revoked_at = ${age(31)} where id = $1`, [ids[3]])
  expect(await removeOldTokens(server.api.services.database)).toBe(2)
  expect(await removeOldTokens(server.api.services.database)).toBe(0)
  expect((await who.call(listPersonalTokens)).items.map(({ name }) => name).sort()).toEqual(['over', 'works'])
})
