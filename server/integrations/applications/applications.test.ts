import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import {
  createApplication,
  listApplications,
  readApplication,
  readOwnApplication,
  removeApplication,
  updateApplication,
} from '#contract/integrations/applications.ts'
import { readCatalogue } from '#contract/integrations/catalogue.ts'
import { grantCriticalScope } from '#contract/integrations/critical-scopes.ts'
import { createKey } from '#contract/integrations/keys.ts'
import { limits } from '#contract/limits.ts'
import { criticalScopes, scopes } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { atLeast, findIn, firstOf, itemAt, mapAll } from '#tests/support/elements.ts'
import {
  insertApplicationKey,
  makeApplication,
  plantApplications,
} from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
let manager: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
  // not an administrator; powers.test.ts covers what this person may grant
  manager = await org.person({ permissions: ['INTEGRATIONS_MANAGE', 'STUDIO_VIEW', 'CHAT_USE'] })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const register = (who: Person, body: Record<string, unknown>) =>
  who.send(createApplication, { body: body as never })
const change = (who: Person, id: string, body: Record<string, unknown>) =>
  who.send(updateApplication, { params: { id }, body: body as never })
const inAudit = async (subject: string) => {
  await server.relayed()
  return server.sql<{ operation: string; changed: string[]; auth: string; actor_id: string }>(
    'select operation, changed, auth, actor_id from audit where subject = $1 order by seq',
    [subject],
  )
}

describe('registering', () => {
  test('creates an application of the caller without a key', async () => {
    const made = await register(manager, {
      name: ' Support desk ',
      description: 'Answers customers',
      origins: ['https://desk.example.com', 'http://Localhost:3000'],
      scopes: ['chat:messages:view', 'studio:assets:read'],
    })
    expect(made.status).toBe(201)
    const { id, createdAt, updatedAt, ...rest } = made.body
    expect(rest).toEqual({
      slug: 'support-desk',
      name: 'Support desk',
      description: 'Answers customers',
      status: 'ACTIVE',
      principal: { id: manager.id, name: manager.name, isMember: true },
      liveKeys: 0,
      lastUsedAt: null,
      origins: ['https://desk.example.com', 'http://localhost:3000'],
      scopes: ['studio:assets:read', 'chat:messages:view'],
      criticalScopes: [],
    })
    expect(createdAt).toBe(updatedAt)
    expect(await manager.call(readApplication, { params: { id } })).toEqual(made.body)
    expect(await inAudit(id)).toEqual([
      {
        operation: 'POST /api/integrations/applications',
        changed: ['name', 'slug', 'origins', 'scopes'],
        auth: 'session',
        actor_id: manager.id,
      },
    ])
  })

  test('assigns a free slug, also to concurrent requests, and a requested slug only if it is free', async () => {
    const house = await (await server.organization()).person({ role: 'OWNER' })
    const made = await Promise.all(Array.from({ length: 6 }, () => register(house, { name: 'Crème Brûlée' })))
    expect(made.map(({ body }) => body.slug).sort()).toEqual([
      'creme-brulee',
      ...[2, 3, 4, 5, 6].map(n => `creme-brulee-${n}`),
    ])
    const requested = await Promise.all([1, 2, 3].map(() => register(house, { name: 'x', slug: 'asked' })))
    expect(requested.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(findIn(requested, ({ status }) => status === 409).body).toMatchObject({
      errorCode: 'APPLICATION_SLUG_TAKEN',
    })
    // slugs of another organization are separate
    expect((await register(stranger, { name: 'x', slug: 'asked' })).status).toBe(201)
    expect((await register(house, { name: '日本' })).body.slug).toBe('application')
    const long = 'x'.repeat(limits.applicationName)
    expect((await register(house, { name: long })).body.slug).toBe('x'.repeat(limits.applicationSlug))
    expect((await register(house, { name: long })).body.slug).toBe(`${'x'.repeat(62)}-2`)
  })

  test('refuses values that are too long or too many, and invalid origins', async () => {
    const origins = Array.from({ length: limits.applicationOrigins + 1 }, (_, at) => `https://a${at}.test`)
    for (const body of [
      {},
      { name: '' },
      { name: 'x'.repeat(limits.applicationName + 1) },
      { name: 'x', slug: 'Not A Slug' },
      { name: 'x', slug: 'x'.repeat(limits.applicationSlug + 1) },
      { name: 'x', description: 'x'.repeat(limits.applicationDescription + 1) },
      { name: 'x', scopes: ['chat:everything'] },
      { name: 'x', scopes: ['chat:messages:view', 'chat:messages:view'] },
      { name: 'x', origins },
      { name: 'x', status: 'DISABLED' },
      { name: 'x', principalId: owner.id },
      ...[
        '*',
        'null',
        'desk.example.com',
        'ftp://a.test',
        'https://a.test/',
        'https://a.test/path',
        'https://user@a.test',
        'https://a.test?x',
        'https://a.test:99999',
        'https://',
        'https://a b.test',
        'https://a.test\\b',
        `https://${'a'.repeat(250)}.test`,
      ].map(origin => ({ name: 'x', origins: [origin] })),
    ])
      expect([body, await register(manager, body)]).toMatchObject([
        body,
        { status: 400, body: { errorCode: 'VALIDATION_ERROR' } },
      ])
  })

  test('stops at the limit of the organization, also for concurrent requests', async () => {
    const house = await server.organization()
    const boss = await house.person({ role: 'OWNER' })
    const [first] = atLeast(
      1,
      await plantApplications(server, house.id, boss, limits.applicationsPerOrganization - 1),
    )
    const answers = await Promise.all([1, 2, 3].map(() => register(boss, { name: 'One more' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = findIn(answers, ({ status }) => status === 409)
    expect(refused.body).toMatchObject({ errorCode: 'TOO_MANY_APPLICATIONS' })
    await boss.call(removeApplication, { params: { id: first } })
    expect((await register(boss, { name: 'One more' })).status).toBe(201)
  })
})

describe('the list', () => {
  test('is sorted by name, with pages, a status filter and key counts', async () => {
    const house = await server.organization()
    const boss = await house.person({ role: 'OWNER' })
    for (const name of ['beta', 'Alpha', 'gamma'])
      await makeApplication(server, house, { name, principal: boss })
    await makeApplication(server, house, { name: 'delta', status: 'DISABLED', principal: boss })
    const names = async (query: object) => {
      const { items, ...rest } = await boss.call(listApplications, { query })
      return [items.map(({ name }) => name), rest.total]
    }
    expect(await names({})).toEqual([['Alpha', 'beta', 'delta', 'gamma'], 4])
    expect(await names({ limit: 2, offset: 1 })).toEqual([['beta', 'delta'], 4])
    expect(await names({ status: 'DISABLED' })).toEqual([['delta'], 1])
    expect(await names({ status: 'ACTIVE', limit: 1 })).toEqual([['Alpha'], 3])
    const first = firstOf((await boss.call(listApplications)).items)
    await boss.call(createKey, { params: { id: first.id }, body: { name: 'Second' } })
    const counted = firstOf((await boss.call(listApplications)).items)
    expect([first.liveKeys, counted.liveKeys]).toEqual([1, 2])
    expect(counted).not.toHaveProperty('scopes')
  })
})

describe('access', () => {
  test('needs the permission, and an application of the same organization', async () => {
    const clerk = await org.person({ permissions: ['ORG_MANAGE'] })
    const { id } = await makeApplication(server, org)
    const calls = (who: Person, id: string) => [
      who.send(readApplication, { params: { id } }),
      change(who, id, { name: 'Mine' }),
      who.send(removeApplication, { params: { id } }),
    ]
    const others = [register(clerk, { name: 'x' }), clerk.send(listApplications)]
    for (const answer of await Promise.all([...calls(clerk, id), ...others]))
      expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    const [foreign, unknown] = await mapAll([id, newId()], requested =>
      Promise.all(calls(stranger, requested)),
    )
    for (const [at, answer] of foreign.entries()) {
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
      expect(answer.text).toBe(itemAt(unknown, at).text)
    }
    expect((await manager.call(readApplication, { params: { id } })).name).not.toBe('Mine')
  })
})

describe('updating', () => {
  test('keeps absent fields and audits changed ones', async () => {
    const { id } = (await register(manager, { name: 'Before', scopes: ['chat:messages:view'] })).body
    const before = await manager.call(readApplication, { params: { id } })
    const same = await change(manager, id, { name: 'Before', scopes: ['chat:messages:view'], slug: 'before' })
    expect(same.body).toEqual(before)
    const after = await change(manager, id, {
      name: 'After',
      slug: 'after',
      description: 'New',
      origins: ['https://a.test'],
      scopes: [],
    })
    expect(after).toMatchObject({
      status: 200,
      body: { name: 'After', slug: 'after', description: 'New', origins: ['https://a.test'], scopes: [] },
    })
    expect((await change(manager, id, { description: null })).body).toEqual({
      ...after.body,
      description: null,
      updatedAt: expect.any(String),
    })
    expect((await inAudit(id)).slice(1).map(({ changed }) => changed)).toEqual([
      [],
      ['name', 'slug', 'description', 'origins', 'scopes'],
      ['description'],
    ])
  })

  test('refuses the slug of another application, also of a deleted one', async () => {
    const [one, other] = [
      (await register(manager, { name: 'First of them' })).body,
      (await register(manager, { name: 'Second of them' })).body,
    ]
    expect(await change(manager, other.id, { slug: one.slug })).toMatchObject({
      status: 409,
      body: { errorCode: 'APPLICATION_SLUG_TAKEN' },
    })
    await manager.call(removeApplication, { params: { id: one.id } })
    expect((await change(manager, other.id, { slug: one.slug })).status).toBe(409)
    const third = (await register(manager, { name: 'Third of them' })).body
    const answers = await Promise.all(
      [other.id, third.id].map(id => change(manager, id, { slug: 'wanted-by-both' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('changes the principal to another member', async () => {
    const { id } = (await register(manager, { name: 'Of somebody' })).body
    const member = await org.person()
    for (const principalId of [newId(), stranger.id])
      expect(await change(owner, id, { principalId })).toMatchObject({
        status: 400,
        body: { errorCode: 'PRINCIPAL_UNKNOWN' },
      })
    // a person who is not an administrator would gain the permissions of the other one
    expect(await change(manager, id, { principalId: owner.id })).toMatchObject({
      status: 403,
      body: { errorCode: 'APPLICATION_EXCEEDS_PERMISSIONS' },
    })
    expect((await change(owner, id, { principalId: member.id })).body.principal.id).toBe(member.id)
    await owner.call(removeMember, { params: { personId: member.id } })
    const { principal } = await owner.call(readApplication, { params: { id } })
    expect(principal).toMatchObject({ id: member.id, isMember: false })
    expect((await change(owner, id, { name: 'Still changeable' })).status).toBe(200)
    expect((await change(manager, id, { principalId: manager.id })).status).toBe(200)
    expect(await change(owner, id, { principalId: member.id })).toMatchObject({ status: 400 })
  })

  test('changes nothing if any field is refused', async () => {
    const { id } = (await register(manager, { name: 'Whole' })).body
    const before = await manager.call(readApplication, { params: { id } })
    await change(manager, id, { name: 'Half', principalId: owner.id })
    await change(manager, id, { name: 'Half', scopes: ['billing:charge'] })
    await change(manager, id, { name: 'Half', origins: ['https://a.test:99999'] })
    expect(await manager.call(readApplication, { params: { id } })).toEqual(before)
  })
})

describe('critical scopes', () => {
  const reason = 'They verify signatures for their auditors'
  const refused = { status: 403, body: { errorCode: 'SCOPE_IS_CRITICAL' } }

  test('cannot be granted by any role of the organization', async () => {
    expect(criticalScopes).toHaveLength(5)
    const { id } = (await register(owner, { name: 'Plain' })).body
    for (const scope of criticalScopes) {
      expect(await register(owner, { name: 'x', scopes: [scope] })).toMatchObject(refused)
      expect(await change(owner, id, { scopes: ['crm:leads:read', scope] })).toMatchObject(refused)
    }
    const params = { id: owner.organizationId, applicationId: id }
    expect(
      await owner.send(grantCriticalScope, { params, body: { scope: 'billing:charge', reason } }),
    ).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    // the others are, all of them
    const plain = scopes.filter(scope => !(criticalScopes as readonly string[]).includes(scope))
    expect((await change(owner, id, { scopes: plain })).body.scopes).toEqual(plain)
  })

  test('are granted by a super administrator with a reason, and removed by any manager', async () => {
    const operator = await server.operator()
    const app = await makeApplication(server, org, { scopes: ['crm:leads:read'] })
    const params = { id: org.id, applicationId: app.id }
    const give = (body: object) => operator.send(grantCriticalScope, { params, body: body as never })
    const scopesSeen = async () => (await app.client.call(readOwnApplication)).scopes
    expect(await scopesSeen()).toEqual(['crm:leads:read'])
    for (const body of [
      { scope: 'crm:leads:convert' },
      { scope: 'crm:leads:convert', reason: 'x'.repeat(19) },
      { scope: 'crm:leads:convert', reason: `${'x'.repeat(18)}${' '.repeat(30)}` },
      { scope: 'crm:leads:convert', reason: 'x'.repeat(1_001) },
      { scope: 'crm:leads:read', reason },
      { scope: 'crm:leads:convert', reason, also: 1 },
    ])
      expect(await give(body)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })

    const options = await give({ scope: 'crm:leads:convert', reason: ` ${reason} ` })
    expect(options).toMatchObject({
      status: 201,
      body: { applicationId: app.id, scope: 'crm:leads:convert', reason },
    })
    const again = await give({ scope: 'crm:leads:convert', reason: 'Another reason, which comes too late' })
    expect([again.status, again.body]).toEqual([201, options.body])
    expect(await scopesSeen()).toEqual(['crm:leads:read', 'crm:leads:convert'])
    const { grantedAt } = options.body
    const record = await manager.call(readApplication, { params: { id: app.id } })
    expect(record.criticalScopes).toEqual([{ scope: 'crm:leads:convert', reason, grantedAt }])
    const by = { operation: expect.stringContaining('/critical-scopes'), auth: 'operator' }
    expect(await inAudit(app.id)).toMatchObject([
      { ...by, changed: ['scopes'], actor_id: operator.id },
      { ...by, changed: [] },
    ])

    // stays with other changes, and is removed with its reason when it is absent
    const changed = await change(owner, app.id, { scopes: ['crm:leads:convert', 'crm:leads:write'] })
    expect(changed.body.criticalScopes).toHaveLength(1)
    const taken = await change(manager, app.id, { scopes: ['crm:leads:write'] })
    expect(taken.body).toMatchObject({ scopes: ['crm:leads:write'], criticalScopes: [] })
    expect(await scopesSeen()).toEqual(['crm:leads:write'])
    expect(await change(manager, app.id, { scopes: ['crm:leads:convert'] })).toMatchObject(refused)
  })

  test('survive a concurrent change of other scopes', async () => {
    const operator = await server.operator()
    for (let round = 0; round < 5; round++) {
      const app = await makeApplication(server, org)
      const params = { id: org.id, applicationId: app.id }
      const [, changed] = await Promise.all([
        operator.call(grantCriticalScope, { params, body: { scope: 'billing:refund', reason } }),
        change(owner, app.id, { scopes: ['crm:leads:read'] }),
      ])
      expect(changed.status).toBe(200)
      // scopes and reasons agree in either order
      const { scopes, criticalScopes } = await manager.call(readApplication, { params: { id: app.id } })
      expect(scopes.includes('billing:refund')).toBe(criticalScopes.length === 1)
      expect(scopes).toContain('crm:leads:read')
    }
  })

  test('are refused for an unknown application', async () => {
    const operator = await server.operator()
    const { id: applicationId } = await makeApplication(server, org)
    const elsewhere = { id: stranger.organizationId, applicationId }
    for (const params of [elsewhere, { id: org.id, applicationId: newId() }, { id: newId(), applicationId }])
      expect(
        await operator.send(grantCriticalScope, { params, body: { scope: 'billing:charge', reason } }),
      ).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
  })
})

describe('deleting', () => {
  test('revokes its keys at once and leaves only its name', async () => {
    const app = await makeApplication(server, org, {
      name: 'Short-lived',
      scopes: ['crm:leads:read'],
      origins: ['https://a.test'],
      url: 'https://a.test/hook',
      events: ['ERROR_REPORTED'],
    })
    const params = { id: app.id }
    expect((await app.client.send(readCatalogue)).status).toBe(200)
    expect((await manager.send(removeApplication, { params })).status).toBe(204)
    expect((await app.client.send(readCatalogue)).status).toBe(401)
    const { key } = await insertApplicationKey(server, app)
    const late = await server.client().send(readCatalogue, { headers: { 'x-api-key': key } })
    expect(late.status).toBe(401)
    await server.sql('delete from application_key where application_id = $1', [app.id])
    for (const answer of await Promise.all([
      manager.send(readApplication, { params }),
      change(manager, app.id, { name: 'Again' }),
      manager.send(removeApplication, { params }),
      manager.send(createKey, { params, body: { name: 'x' } }),
    ]))
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
    const { items } = await manager.call(listApplications, { query: { limit: 100 } })
    expect(items.map(({ id }) => id)).not.toContain(app.id)
    expect(
      await server.sql('select name, slug, status, scopes, origins from application where id = $1', [app.id]),
    ).toEqual([{ name: 'Short-lived', slug: app.slug, status: 'DISABLED', scopes: [], origins: [] }])
    for (const table of ['application_key', 'webhook_endpoint'])
      expect(await server.sql(`select 1 from ${table} where application_id = $1`, [app.id])).toEqual([])
    expect(await inAudit(app.id)).toMatchObject([{ operation: expect.stringContaining('DELETE') }])
  })

  test('succeeds only once', async () => {
    const { id } = await makeApplication(server, org)
    const answers = await Promise.all([1, 2].map(() => manager.send(removeApplication, { params: { id } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})
