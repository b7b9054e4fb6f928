import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, readApplication, updateApplication } from '#contract/integrations/applications.ts'
import { createKey } from '#contract/integrations/keys.ts'
import { type Permission, permissions, type Scope, scopePermissions, scopes } from '#contract/permissions.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { isCritical } from './application.rules.ts'

let server: TestServer
let org: Organization
let owner: Person
/** May manage applications and nothing else. */
let integrator: Person
/** Has every permission by a custom role, but is not an administrator. */
let almighty: Person
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
  integrator = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  almighty = await org.person({ permissions: [...permissions] })
})
afterAll(() => server?.close())

const exceeds = { status: 403, body: { errorCode: 'APPLICATION_EXCEEDS_PERMISSIONS' } }
const plainScopes = scopes.filter(scope => !isCritical(scope))

const register = (who: Person, options: Scope[]) =>
  who.send(createApplication, { body: { name: 'Of powers', scopes: options } })
const change = (who: Person, id: string, body: { scopes?: Scope[]; principalId?: string; name?: string }) =>
  who.send(updateApplication, { params: { id }, body })
/** Creates a second key: an application can have two. */
const makeKey = (who: Person, { id }: Pick<TestApplication, 'id'>) =>
  who.send(createKey, { params: { id }, body: { name: 'Second' } })

describe('creating a key', () => {
  test('is refused to a person whose role only manages integrations, for an application of the owner with critical scopes', async () => {
    const app = await makeApplication(server, org, {
      principal: owner,
      scopes: ['crm:leads:read', 'crm:leads:read:notes', 'crm:leads:convert', 'billing:refund'],
    })
    expect(await makeKey(integrator, app)).toMatchObject(exceeds)
    const keys = await server.sql('select id from application_key where application_id = $1', [app.id])
    expect(keys).toHaveLength(1)
    expect((await makeKey(owner, app)).status).toBe(201)
  })

  test('needs every permission that the scopes stand for, and names the missing ones', async () => {
    const app = await makeApplication(server, org, {
      principal: integrator,
      scopes: ['analytics:errors:write', 'chat:members:manage', 'crm:leads:write'],
    })
    const refused = await makeKey(integrator, app)
    expect(refused).toMatchObject(exceeds)
    expect(refused.body).toMatchObject({
      permissions: ['CHAT_MEMBERS_ADD', 'CHAT_MEMBERS_REMOVE', 'CRM_EDIT'],
    })
    const own = await makeApplication(server, org, {
      principal: integrator,
      scopes: ['analytics:errors:write'],
    })
    expect((await makeKey(integrator, own)).status).toBe(201)
  })

  test('needs to be the principal, even with every permission', async () => {
    const app = await makeApplication(server, org, { principal: owner, scopes: ['crm:leads:read'] })
    expect(await makeKey(almighty, app)).toMatchObject(exceeds)
    const own = await makeApplication(server, org, { principal: almighty, scopes: plainScopes })
    expect((await makeKey(almighty, own)).status).toBe(201)
    const empty = await makeApplication(server, org, { principal: owner, scopes: [] })
    expect(await makeKey(integrator, empty)).toMatchObject(exceeds)
  })

  test('is limited to administrators once there is a critical scope', async () => {
    for (const scope of scopes.filter(isCritical)) {
      const app = await makeApplication(server, org, { principal: almighty, scopes: [scope] })
      expect(await makeKey(almighty, app)).toMatchObject(exceeds)
      expect((await makeKey(owner, app)).status).toBe(201)
    }
  })

  test('is refused before the key limit is checked', async () => {
    const app = await makeApplication(server, org, { principal: owner, scopes: ['crm:leads:read'] })
    expect((await makeKey(owner, app)).status).toBe(201)
    expect(await makeKey(integrator, app)).toMatchObject(exceeds)
  })
})

describe('granting scopes', () => {
  test('each scope needs its permissions, when registering and when updating', async () => {
    const { id } = (await register(almighty, [])).body
    for (const scope of plainScopes) {
      const needed = scopePermissions[scope]
      const others = permissions.filter(name => name === 'INTEGRATIONS_MANAGE' || !needed.includes(name))
      const without = await org.person({ permissions: others })
      const holding = await org.person({
        permissions: [...new Set<Permission>(['INTEGRATIONS_MANAGE', ...needed])],
      })
      const mine = (await register(holding, [scope])).body
      expect([scope, mine.scopes]).toEqual([scope, [scope]])
      if (needed.every(name => name === 'INTEGRATIONS_MANAGE')) continue
      expect([scope, await register(without, [scope])]).toMatchObject([scope, exceeds])
      const { id: bare } = (await register(without, [])).body
      expect([scope, await change(without, bare, { scopes: [scope] })]).toMatchObject([scope, exceeds])
    }
    expect((await change(almighty, id, { scopes: plainScopes })).body.scopes).toEqual(plainScopes)
  })

  test('checks all resulting scopes, and needs the principal', async () => {
    const seller = await org.person({ permissions: ['INTEGRATIONS_MANAGE', 'CRM_VIEW'] })
    const app = await makeApplication(server, org, { principal: seller, scopes: ['billing:charge'] })
    expect(await change(seller, app.id, { scopes: ['crm:leads:read', 'billing:charge'] })).toMatchObject(
      exceeds,
    )
    const foreign = await makeApplication(server, org, { principal: owner })
    expect(await change(seller, foreign.id, { scopes: ['crm:leads:read'] })).toMatchObject(exceeds)
    expect((await change(owner, foreign.id, { scopes: ['crm:leads:read'] })).status).toBe(200)
  })

  test('does not limit removing scopes or other changes', async () => {
    const app = await makeApplication(server, org, {
      principal: owner,
      scopes: ['crm:leads:read', 'crm:leads:write', 'billing:refund'],
    })
    const changed = await change(integrator, app.id, {
      name: 'Renamed',
      scopes: ['crm:leads:read', 'billing:refund'],
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Renamed', scopes: ['crm:leads:read', 'billing:refund'] },
    })
    expect((await change(integrator, app.id, { scopes: [] })).body.scopes).toEqual([])
    expect(await change(integrator, app.id, { scopes: ['crm:leads:read'] })).toMatchObject(exceeds)
  })
})

describe('becoming the principal', () => {
  test('needs the permissions of the scopes and no critical scope', async () => {
    const seller = await org.person({ permissions: ['INTEGRATIONS_MANAGE', 'CRM_VIEW'] })
    const app = await makeApplication(server, org, { principal: owner, scopes: ['crm:leads:read'] })
    expect(await change(integrator, app.id, { principalId: integrator.id })).toMatchObject(exceeds)
    expect((await change(seller, app.id, { principalId: seller.id })).body.principal.id).toBe(seller.id)
    expect((await makeKey(seller, app)).status).toBe(201)
    expect(await change(seller, app.id, { principalId: owner.id })).toMatchObject(exceeds)

    const critical = await makeApplication(server, org, {
      principal: owner,
      scopes: ['crm:leads:read:notes'],
    })
    expect(await change(almighty, critical.id, { principalId: almighty.id })).toMatchObject(exceeds)
    expect((await owner.call(readApplication, { params: { id: critical.id } })).principal.id).toBe(owner.id)
    // allowed without the critical scope
    const taken = await change(almighty, critical.id, {
      principalId: almighty.id,
      scopes: ['crm:leads:read'],
    })
    expect(taken).toMatchObject({ status: 200, body: { principal: { id: almighty.id } } })
  })
})
