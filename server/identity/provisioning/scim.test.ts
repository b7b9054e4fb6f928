import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvitation, listInvitations } from '#contract/identity/invitations.ts'
import { listMembers, listMemberUnits, removeMember, updateMember } from '#contract/identity/organization.ts'
import { createProvisioningToken, revokeProvisioningToken } from '#contract/identity/provisioning.ts'
import { acceptInvitation, readCaller } from '#contract/identity/sessions.ts'
import { limits } from '#contract/limits.ts'
import { firstOf } from '#tests/support/elements.ts'
import { invitationSecret } from '#tests/support/outbox.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
let scim: Scim

/** The fields of users, groups, lists and errors that the tests read. */
type Body = {
  id: string
  displayName: string
  active: boolean
  groups: unknown[]
  members: { value: string }[]
  roles: unknown[]
  meta: { location: string }
  totalResults: number
  Resources: Body[]
}
type Answer = { status: number; headers: Headers; body: Body; text: string }
type Scim = (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>

/** Calls SCIM as an identity provider with a token. */
function scimAt(token: string, url = server.url): Scim {
  return async (method, path, body, contentType = 'application/scim+json') => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
  }
}
const tokenOf = async (person: Person) =>
  (await person.call(createProvisioningToken, { body: { name: 'Provider' } })).token
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
const user = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  name: { givenName: 'Test', familyName: 'User' },
  active: true,
  ...more,
})
const q = encodeURIComponent
const scimError = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
  },
})

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
  scim = scimAt(await tokenOf(owner))
})
afterAll(() => server.close())

describe('Entra ID: the requests of its validator and its provisioning cycles', () => {
  test('users', async () => {
    const absent = await scim('GET', `/Users?filter=${q('userName eq "entra@corp.test"')}`)
    expect(absent).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [], startIndex: 1 } })
    expect(absent.headers.get('content-type')).toMatch(/^application\/scim\+json/)

    const created = await scim('POST', '/Users', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Entra@corp.test',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'entra@corp.test' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
      roles: [],
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        userName: 'entra@corp.test',
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        active: true,
        displayName: 'Given Family',
        roles: [{ value: 'MEMBER' }],
        meta: { resourceType: 'User' },
      },
    })
    const { id } = created.body
    expect(created.headers.get('location')).toBe(created.body.meta.location)
    expect(await scim('POST', '/Users', user('entra@corp.test'))).toMatchObject(scimError(409, 'uniqueness'))
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body)
    for (const filter of [
      'userName eq "ENTRA@corp.test"',
      'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
    ])
      expect((await scim('GET', `/Users?filter=${q(filter)}`)).body).toMatchObject({
        totalResults: 1,
        Resources: [{ id }],
      })

    const renamed = await scim(
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'Replace', path: 'name.familyName', value: 'Other' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'entra@corp.test' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'ADMIN' },
      ),
    )
    expect(renamed.body).toMatchObject({
      name: { familyName: 'Other' },
      displayName: 'Given Other',
      roles: [{ value: 'ADMIN' }],
    })
    // Entra without the flag aadOptscim062020
    for (const value of ['False', false, 'True', [{ value: 'False' }], true]) {
      const changed = await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value }))
      expect(changed.body.active).toBe(/true/i.test(String(Array.isArray(value) ? 'False' : value)))
    }
    expect(
      (
        await scim(
          'PATCH',
          `/Users/${id}`,
          patch({ op: 'replace', value: { displayName: 'One', 'name.givenName': 'Uno' } }),
        )
      ).body,
    ).toMatchObject({
      displayName: 'One',
      name: { givenName: 'Uno' },
    })
    expect(
      await scim(
        'PATCH',
        `/Users/${id}`,
        patch({ op: 'replace', path: 'userName', value: 'evil@corp.test' }),
      ),
    ).toMatchObject(scimError(400, 'mutability'))
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await scim('GET', `/Users/${id}`)).toMatchObject(scimError(404))
    expect(await scim('DELETE', `/Users/${id}`)).toMatchObject(scimError(404))
  })

  test('groups', async () => {
    const [one, two] = await Promise.all(
      ['entra-1@corp.test', 'entra-2@corp.test'].map(
        async email => (await scim('POST', '/Users', user(email))).body.id,
      ),
    )
    const created = await scim('POST', '/Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: 'e-group',
      displayName: 'Entra group',
      meta: { resourceType: 'Group' },
    })
    expect(created).toMatchObject({
      status: 201,
      body: { displayName: 'Entra group', externalId: 'e-group', members: [] },
    })
    const { id } = created.body
    expect(await scim('POST', '/Groups', { displayName: 'entra GROUP' })).toMatchObject(
      scimError(409, 'uniqueness'),
    )
    const found = await scim(
      'GET',
      `/Groups?excludedAttributes=members&filter=${q('displayName eq "Entra group"')}`,
    )
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect(found.body.Resources[0]).not.toHaveProperty('members')

    const members = async () =>
      (await scim('GET', `/Groups/${id}`)).body.members
        .map((member: { value: string }) => member.value)
        .sort()
    const send = (...operations: object[]) => scim('PATCH', `/Groups/${id}`, patch(...operations))
    expect((await send({ op: 'Add', path: 'members', value: [{ value: one }] })).status).toBe(204)
    await send({ op: 'add', value: { members: [{ value: two }] } })
    expect(await members()).toEqual([one, two].sort())
    expect((await scim('GET', `/Users/${one}`)).body.groups).toEqual([
      { value: id, display: 'Entra group', type: 'direct' },
    ])
    await send({ op: 'Remove', path: 'members', value: [{ value: one }] })
    expect(await members()).toEqual([two])
    await send({ op: 'remove', path: `members[value eq "${two}"]` })
    expect(await members()).toEqual([])
    await send(
      { op: 'Replace', path: 'displayName', value: 'Entra renamed' },
      { op: 'replace', path: 'members', value: [{ value: one }] },
    )
    expect(await members()).toEqual([one])
    expect(await send({ op: 'add', path: 'members', value: [{ value: 'nobody' }] })).toMatchObject(
      scimError(400, 'invalidValue'),
    )
    await send({ op: 'remove', path: 'members' })
    expect(await members()).toEqual([])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect(await scim('GET', `/Groups/${id}`)).toMatchObject(scimError(404))
  })
})

describe('Okta: the requests of its SCIM 2.0 specification test', () => {
  test('users', async () => {
    const page = await scim('GET', '/Users?startIndex=1&count=2')
    expect(page.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      itemsPerPage: 2,
      startIndex: 1,
      totalResults: expect.any(Number),
    })
    for (const item of page.body.Resources)
      expect(item).toMatchObject({
        id: expect.any(String),
        name: { familyName: expect.any(String), givenName: expect.any(String) },
        userName: expect.any(String),
        active: expect.any(Boolean),
        emails: [{ value: expect.any(String) }],
      })
    const next = await scim('GET', '/Users?startIndex=2&count=1')
    expect(next.body.Resources).toEqual([page.body.Resources[1]])
    expect(await scim('GET', '/Users/010101001010101011001010101011')).toMatchObject(scimError(404))
    const created = await scim(
      'POST',
      '/Users',
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'runscope@okta.test',
        name: { givenName: 'Run', familyName: 'Scope' },
        emails: [{ primary: true, value: 'runscope@okta.test', type: 'work' }],
        displayName: 'Run Scope',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
      'application/scim+json; charset=utf-8',
    )
    expect(created).toMatchObject({
      status: 201,
      body: { active: true, name: { givenName: 'Run', familyName: 'Scope' } },
    })
    expect(created.text).not.toContain('1mz050nq')
    const { id } = created.body
    expect(await scim('POST', '/Users', user('runscope@okta.test'))).toMatchObject(
      scimError(409, 'uniqueness'),
    )
    const put = await scim('PUT', `/Users/${id}`, {
      ...created.body,
      name: { givenName: 'Another', familyName: 'Name' },
      displayName: 'Another Name',
    })
    expect(put).toMatchObject({
      status: 200,
      body: { id, displayName: 'Another Name', name: { givenName: 'Another' } },
    })
    const off = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect((await scim('PUT', `/Users/${id}`, { ...put.body, active: true })).body.active).toBe(true)
  })

  test('groups', async () => {
    const member = (await scim('POST', '/Users', user('pushed@okta.test'))).body.id
    const created = await scim('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Okta push',
      members: [{ value: member, display: 'pushed@okta.test' }],
    })
    expect(created).toMatchObject({ status: 201, body: { members: [{ value: member }] } })
    const { id } = created.body
    const renamed = await scim(
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'replace', value: { id, displayName: 'Okta pushed' } }),
    )
    expect(renamed.status).toBe(204)
    const put = await scim('PUT', `/Groups/${id}`, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id,
      displayName: 'Okta put',
      members: [],
    })
    expect(put).toMatchObject({ status: 200, body: { displayName: 'Okta put', members: [] } })
    const listed = await scim('GET', '/Groups?startIndex=1&count=100')
    expect(listed.body.Resources.map((group: { id: string }) => group.id)).toContain(id)
  })
})

describe('a deactivated user', () => {
  test('loses access at once, and returns with role and units', async () => {
    const person = await org.person({ role: 'ADMIN' })
    const group = (await scim('POST', '/Groups', { displayName: 'Kept', members: [{ value: person.id }] }))
      .body.id
    await person.call(readCaller, {})
    expect(
      (await scim('PATCH', `/Users/${person.id}`, patch({ op: 'Replace', path: 'active', value: 'False' })))
        .body.active,
    ).toBe(false)
    expect((await person.send(readCaller, {})).status).toBe(401)
    expect((await owner.call(listMembers, { query: { search: person.email } })).total).toBe(0)
    expect((await scim('GET', `/Groups/${group}`)).body.members).toMatchObject([{ value: person.id }])
    // a change while they are away takes effect with their return
    await scim('POST', '/Groups', { displayName: 'Joined away', members: [{ value: person.id }] })
    await scim('PATCH', `/Users/${person.id}`, patch({ op: 'Replace', path: 'active', value: 'True' }))
    expect(await person.call(readCaller, {})).toMatchObject({ isAdministrator: true })
    const units = await owner.call(listMemberUnits, { params: { personId: person.id } })
    expect(units.items.map(({ name }) => name)).toEqual(['Joined away', 'Kept'])
  })
  test('leaves an organization with an owner, and never comes back as one', async () => {
    expect(
      await scim('PATCH', `/Users/${owner.id}`, patch({ op: 'replace', path: 'active', value: false })),
    ).toMatchObject(scimError(409))
    expect(await scim('DELETE', `/Users/${owner.id}`)).toMatchObject(scimError(409))
    const second = await org.person({ role: 'OWNER' })
    await scim('PATCH', `/Users/${second.id}`, patch({ op: 'replace', path: 'active', value: false }))
    const back = await scim(
      'PATCH',
      `/Users/${second.id}`,
      patch({ op: 'replace', path: 'active', value: true }),
    )
    expect(back.body.roles).toMatchObject([{ value: 'MEMBER' }])
  })
  test('is no user once a person has removed them', async () => {
    const { id } = (await scim('POST', '/Users', user('removed@corp.test'))).body
    await owner.call(removeMember, { params: { personId: id } })
    expect(await scim('GET', `/Users/${id}`)).toMatchObject(scimError(404))
    expect(
      (await scim('GET', `/Users?filter=${q('userName eq "removed@corp.test"')}`)).body.totalResults,
    ).toBe(0)
  })
})

describe('an account that exists', () => {
  test('joins only when its person accepts', async () => {
    const other = await server.organization()
    const email = 'stranger@elsewhere.test'
    const password = 'correct horse battery staple 7'
    const accept = () =>
      server.client().call(acceptInvitation, {
        body: { secret: invitationSecret(server, email), name: 'Sam Stranger', password },
      })
    await (await other.person({ role: 'OWNER' })).call(createInvitation, { body: { email, role: 'MEMBER' } })
    const stranger = { id: (await accept()).personId, email }
    const created = await scim('POST', '/Users', user(stranger.email, { roles: [{ value: 'ADMIN' }] }))
    expect(created).toMatchObject({
      status: 201,
      body: { id: stranger.id, active: true, roles: [{ value: 'ADMIN' }] },
    })
    const group = await scim('POST', '/Groups', { displayName: 'Waiting', members: [{ value: stranger.id }] })
    expect(group.status).toBe(201)
    expect((await owner.call(listMembers, { query: { search: stranger.email } })).total).toBe(0)
    const invited = async () =>
      (await owner.call(listInvitations, {})).items.find(({ email }) => email === stranger.email)
    expect(await invited()).toMatchObject({ role: 'ADMIN' })
    // the provider takes it back, and invites again
    await scim('PATCH', `/Users/${stranger.id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect(await invited()).toBeUndefined()
    await scim('PATCH', `/Users/${stranger.id}`, patch({ op: 'replace', path: 'active', value: true }))
    await scim(
      'PATCH',
      `/Users/${stranger.id}`,
      patch({ op: 'replace', path: 'roles', value: [{ value: 'MEMBER' }] }),
    )
    expect(await invited()).toMatchObject({ role: 'MEMBER' })
    expect((await owner.call(listMembers, { query: { search: stranger.email } })).total).toBe(0)
    await accept()
    expect((await owner.call(listMembers, { query: { search: stranger.email } })).items).toMatchObject([
      { personId: stranger.id, role: 'MEMBER' },
    ])
    const units = await owner.call(listMemberUnits, { params: { personId: stranger.id } })
    expect(units.items.map(({ name }) => name)).toEqual(['Waiting'])
  })
})

describe('a token', () => {
  test('allows no more than its creator may', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    const clerk = await other.person({ permissions: ['ORG_MANAGE', 'CHAT_USE'] })
    const asClerk = scimAt(await tokenOf(clerk))
    expect(await asClerk('POST', '/Users', user('a@clerk.test'))).toMatchObject(scimError(403))
    expect(
      await asClerk('PATCH', `/Users/${boss.id}`, patch({ op: 'replace', path: 'active', value: false })),
    ).toMatchObject(scimError(403))
    const asBoss = scimAt(await tokenOf(boss))
    const made = (await asBoss('POST', '/Users', user('b@clerk.test'))).body
    for (const value of ['OWNER', 'owner'])
      expect(
        await asBoss(
          'PATCH',
          `/Users/${made.id}`,
          patch({ op: 'replace', path: 'roles', value: [{ value }] }),
        ),
      ).toMatchObject(scimError(403))
    expect(
      await asBoss(
        'PATCH',
        `/Users/${made.id}`,
        patch({ op: 'replace', path: 'roles', value: [{ value: 'King' }] }),
      ),
    ).toMatchObject(scimError(400, 'invalidValue'))
    await boss.call(updateMember, { params: { personId: clerk.id }, body: { role: 'MEMBER' } })
    expect(await asClerk('GET', '/Users')).toMatchObject(scimError(403))
  })
  test('ends when it is revoked, and when its creator leaves for good', async () => {
    const manager = await org.person({ role: 'ADMIN' })
    const { id, token } = await manager.call(createProvisioningToken, { body: { name: 'Short' } })
    expect((await scimAt(token)('GET', '/ServiceProviderConfig')).status).toBe(200)
    await owner.call(revokeProvisioningToken, { params: { id } })
    const refused = await scimAt(token)('GET', '/ServiceProviderConfig')
    expect(refused).toMatchObject(scimError(401))
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    const lasting = await tokenOf(manager)
    await scim('PATCH', `/Users/${manager.id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect((await scimAt(lasting)('GET', '/Users')).status).toBe(401)
    await scim('PATCH', `/Users/${manager.id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect((await scimAt(lasting)('GET', '/Users')).status).toBe(401)
  })
  test('an organization has at most five, also of calls at the same time', async () => {
    const boss = await (await server.organization()).person({ role: 'OWNER' })
    const answers = await Promise.all(
      Array.from({ length: limits.provisioningTokens + 2 }, () =>
        boss.send(createProvisioningToken, { body: { name: 'Provider' } }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toMatchObject(Array(2).fill({ body: { errorCode: 'TOO_MANY_PROVISIONING_TOKENS' } }))
  })
  test('sees and changes nothing of another organization', async () => {
    const other = await server.organization()
    const stranger = await other.person({ role: 'OWNER' })
    const asStranger = scimAt(await tokenOf(stranger))
    const mine = (await scim('POST', '/Users', user('mine@corp.test'))).body.id
    const group = (await scim('POST', '/Groups', { displayName: 'Mine' })).body.id
    const unknown = await asStranger('GET', '/Users/c000000000000000000000000')
    for (const [method, path, body] of [
      ['GET', `/Users/${mine}`],
      ['PUT', `/Users/${mine}`, user('mine@corp.test')],
      ['PATCH', `/Users/${mine}`, patch({ op: 'replace', path: 'active', value: false })],
      ['DELETE', `/Users/${mine}`],
      ['GET', `/Groups/${group}`],
      ['PUT', `/Groups/${group}`, { displayName: 'X' }],
      ['PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' })],
      ['DELETE', `/Groups/${group}`],
    ] as const)
      expect(await asStranger(method, path, body)).toMatchObject({ status: 404, text: unknown.text })
    expect((await asStranger('GET', '/Users')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      stranger.id,
    ])
    expect(
      await asStranger('POST', '/Groups', { displayName: 'Theirs', members: [{ value: mine }] }),
    ).toMatchObject(scimError(400))
  })
  test('opens nothing else, and other credentials do not open SCIM', async () => {
    const token = await tokenOf(owner)
    expect((await server.client(token).send(readCaller, {})).status).toBe(401)
    expect((await scimAt(owner.token)('GET', '/Users')).status).toBe(401)
    expect((await scimAt('patio_scim_x')('GET', '/Users')).status).toBe(401)
  })
})

describe('requests', () => {
  test.each([
    ['POST', '/Users', { userName: 'no address' }, 'invalidValue'],
    ['POST', '/Users', {}, 'invalidValue'],
    ['POST', '/Users', [], 'invalidSyntax'],
    ['POST', '/Users', user('x@y.test', { active: 'perhaps' }), 'invalidValue'],
    ['POST', '/Groups', {}, 'invalidValue'],
    ['GET', `/Users?filter=${q('userName co "x"')}`, undefined, 'invalidFilter'],
    ['GET', `/Users?filter=${q('title eq "x"')}`, undefined, 'invalidFilter'],
    ['GET', `/Groups?filter=${q('members eq "x"')}`, undefined, 'invalidFilter'],
    ['GET', '/Users?count=x', undefined, 'invalidValue'],
    ['PATCH', '/Users/x', { Operations: [{ op: 'move' }] }, 'invalidSyntax'],
    ['PATCH', '/Groups/x', { Operations: [{ op: 'remove' }] }, 'invalidPath'],
  ])('%s %s %j is refused: %s', async (method, path, body, scimType) => {
    expect(await scim(method, path, body)).toMatchObject(scimError(400, scimType))
  })
  test('broken JSON, and attributes of the prototype', async () => {
    const token = await tokenOf(owner)
    const response = await fetch(`${server.url}/scim/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: '{"userName":',
    })
    expect({ status: response.status, body: await response.json() }).toMatchObject(
      scimError(400, 'invalidSyntax'),
    )
    const { id } = (await scim('POST', '/Users', user('proto@corp.test'))).body
    await scim('PATCH', `/Users/${id}`, patch({ op: 'add', path: '__proto__.polluted', value: 1 }))
    expect({}).not.toHaveProperty('polluted')
  })
  test('discovery says what is supported', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    })
    expect((await scim('GET', '/ResourceTypes')).body.totalResults).toBe(2)
    expect((await scim('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users' })
    const { Resources } = (await scim('GET', '/Schemas')).body
    for (const { id } of Resources) expect((await scim('GET', `/Schemas/${id}`)).body).toMatchObject({ id })
  })
  test('leave one audit entry for each change and none without one, and announce it', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    const call = scimAt(await tokenOf(boss))
    const { id } = (await call('POST', '/Users', user('audited@corp.test'))).body
    await call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))
    await call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    await server.relayed()
    const entries = await server.sql<{ operation: string; detail: object }>(
      `select operation, subject, actor_id, auth, changed, detail from audit where organization_id = $1 and auth = 'scim' order by seq`,
      [other.id],
    )
    expect(entries).toMatchObject([
      { operation: 'POST /scim/v2/Users', subject: id, actor_id: boss.id },
      { operation: 'PATCH /scim/v2/Users/:id', subject: id, changed: ['active'] },
    ])
    expect(firstOf(entries).detail).toMatchObject({ tokenId: expect.any(String) })
    const events = await server.sql(
      `select name, data from event where organization_id = $1 and name = 'member.changed' order by seq`,
      [other.id],
    )
    expect(events).toEqual([
      { name: 'member.changed', data: { ids: [id], createdIds: [id] } },
      { name: 'member.changed', data: { ids: [id], removedIds: [id] } },
    ])
  })
})
