import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findPeople,
  getOperatedOrganization,
  inviteOwner,
  listOrganizations,
  lockPerson,
  openOrganization,
  unlockPerson,
  updateOperatedOrganization,
} from '#contract/identity/operator.ts'
import { getOrganization } from '#contract/identity/organization.ts'
import { setPreferences } from '#contract/identity/preferences.ts'
import { acceptInvitation, getSessionToken, readCaller } from '#contract/identity/sessions.ts'
import { newId } from '#platform/ids.ts'
import { connect } from '#sdk/client.ts'
import { defined } from '#tests/support/elements.ts'
import { insertMemberships, insertPeople } from '#tests/support/identity/people.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { invitationSecret, mailsTo } from '#tests/support/outbox.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const password = 'Vierzig blaue Traktoren'
const reason = 'Three invoices are unpaid since May.'

let server: TestServer
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  operator = await server.operator()
})
afterAll(() => server.close())

const audited = async (organizationId: string) => {
  await server.relayed()
  return server.sql(
    'select operation, subject, actor_id, auth, changed from audit where organization_id = $1 order by seq',
    [organizationId],
  )
}
const update = (id: string, body: object, who = operator) =>
  who.send(updateOperatedOrganization, { params: { id }, body: body as never })
const by = () => ({ actor_id: operator.id, auth: 'operator' })
const noOrganization = { status: 404, body: { errorCode: 'ORGANIZATION_NOT_FOUND' } }
const noPerson = { status: 404, body: { errorCode: 'PERSON_NOT_FOUND' } }

test('only operators have access, owners do not', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const params = { id: owner.organizationId }
  const calls = [
    owner.send(listOrganizations, {}),
    owner.send(openOrganization, { body: { name: 'Mine', plan: 'ENTERPRISE', ownerEmail: 'me@there.test' } }),
    owner.send(getOperatedOrganization, { params }),
    update(owner.organizationId, { plan: 'ENTERPRISE' }, owner),
    owner.send(inviteOwner, { params, body: { email: 'me@there.test' } }),
    owner.send(findPeople, { query: { email: operator.email } }),
    owner.send(lockPerson, { params: { id: operator.id }, body: { reason } }),
    owner.send(unlockPerson, { params: { id: operator.id } }),
  ]
  for (const answer of await Promise.all(calls)) {
    expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
  }
})

describe('organizations', () => {
  test('invite their owner in the language of the operator (MBR-17)', async () => {
    const speaker = await server.operator()
    await (await signedInAccount(server, speaker)).call(setPreferences, { body: { language: 'es' } })
    const { organization } = await speaker.call(openOrganization, {
      body: { name: 'Duna', plan: 'TEAM', ownerEmail: 'first@duna.test' },
    })
    await speaker.call(inviteOwner, { params: { id: organization.id }, body: { email: 'second@duna.test' } })
    for (const email of ['first@duna.test', 'second@duna.test'])
      expect(mailsTo(server, email)[0]).toContain('El operador de este servidor te invita a Duna')
  })

  test('are created with an invitation for the owner', async () => {
    const { organization, invitation } = await operator.call(openOrganization, {
      body: { name: ' Fjord ', plan: 'TEAM', ownerEmail: 'Fiona@Fjord.test', ownerName: 'Fiona' },
    })
    expect(organization).toMatchObject({ name: 'Fjord', plan: 'TEAM', suspendedAt: null, modulesAdded: [] })
    expect(invitation).toMatchObject({
      email: 'fiona@fjord.test',
      role: 'OWNER',
      invitedBy: null,
      mailSent: true,
    })
    expect(mailsTo(server, 'fiona@fjord.test')[0]).toContain('Hello Fiona')
    const secret = invitationSecret(server, 'fiona@fjord.test')
    const accepted = await server
      .client()
      .call(acceptInvitation, { body: { secret, name: 'Fiona', password } })
    expect(accepted).toMatchObject({ organizationId: organization.id, role: 'OWNER' })
    expect(await audited(organization.id)).toMatchObject([
      {
        ...by(),
        operation: 'POST /api/operator/organizations',
        subject: organization.id,
        changed: ['name', 'plan'],
      },
      { operation: 'POST /api/auth/invitations/accept', subject: accepted.personId },
    ])
    const owned = { params: { id: organization.id } }
    const again = await operator.send(inviteOwner, { ...owned, body: { email: 'fiona@fjord.test' } })
    expect(again).toMatchObject({ status: 409, body: { errorCode: 'ALREADY_MEMBER' } })
    const second = await operator.call(inviteOwner, { ...owned, body: { email: 'finn@fjord.test' } })
    expect(second).toMatchObject({ role: 'OWNER', mailSent: true })
    expect((await audited(organization.id)).at(-1)).toMatchObject({ ...by(), subject: second.id })
  })

  test('are listed by name and searched', async () => {
    const { id } = await server.organization({ name: 'zz Quetzal Zoo' })
    const found = await operator.call(listOrganizations, { query: { search: 'QUETZAL' } })
    expect(found).toMatchObject({ items: [{ id, name: 'zz Quetzal Zoo' }], total: 1 })
    const whole = await operator.call(listOrganizations, { query: { limit: 100 } })
    expect(whole.items.at(-1)).toEqual(await operator.call(getOperatedOrganization, { params: { id } }))
    expect(whole.total).toBe(whole.items.length)
  })

  test('get another plan and exceptions on every process within two seconds', async () => {
    const org = await server.organization({ plan: 'FREE' })
    const member = await org.person()
    const there = member.at((await server.anotherApi()).url)
    expect((await there.call(readCaller, {})).modules).toEqual(['studio'])
    const body = {
      plan: 'TEAM',
      modulesAdded: ['finance'],
      modulesRemoved: ['crm'],
      capabilitiesAdded: ['crm.leads'],
    }
    expect(await update(org.id, body)).toMatchObject({ status: 200, body })
    const modules = ['studio', 'integrations', 'finance']
    expect(await member.call(readCaller, {})).toMatchObject({ modules, capabilities: ['crm.leads'] })
    await expect.poll(async () => (await there.call(readCaller, {})).modules).toEqual(modules)
    expect(await audited(org.id)).toEqual([
      {
        ...by(),
        operation: 'PATCH /api/operator/organizations/:id',
        subject: org.id,
        changed: ['plan', 'modulesAdded', 'modulesRemoved', 'capabilitiesAdded'],
      },
    ])
  })

  test('are suspended with a reason and resumed, on every process within two seconds', async () => {
    const org = await server.organization()
    const member = await org.person()
    const there = member.at((await server.anotherApi()).url)
    await there.call(getOrganization, {})
    expect(await update(org.id, { suspended: true })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'reason' }] },
    })
    expect(await update(org.id, { suspended: true, reason: 'too short' })).toMatchObject({ status: 400 })
    expect((await member.send(getOrganization, {})).status).toBe(200)
    const first = await update(org.id, { suspended: true, reason })
    expect(first).toMatchObject({
      status: 200,
      body: { suspendedAt: expect.any(String), suspendedReason: reason },
    })
    const suspended = { status: 403, body: { errorCode: 'ORGANIZATION_SUSPENDED' } }
    expect(await member.send(getOrganization, {})).toMatchObject(suspended)
    await expect.poll(() => there.send(getOrganization, {})).toMatchObject(suspended)
    const later = await update(org.id, { suspended: true, reason: `${reason} And June.` })
    expect(later.body.suspendedAt).toBe(first.body.suspendedAt)
    expect(await update(org.id, { suspended: false })).toMatchObject({
      body: { suspendedAt: null, suspendedReason: null },
    })
    expect((await member.send(getOrganization, {})).status).toBe(200)
    await expect.poll(async () => (await there.send(getOrganization, {})).status).toBe(200)
    expect((await audited(org.id)).map(row => row.changed)).toEqual([
      ['suspendedAt', 'suspendedReason'],
      ['suspendedReason'],
      ['suspendedAt', 'suspendedReason'],
    ])
  })

  test('cannot be suspended by their own operators', async () => {
    const answer = await update(operator.organizationId, { suspended: true, reason })
    expect(answer).toMatchObject({ status: 409, body: { errorCode: 'NOT_ON_YOURSELF' } })
    expect((await operator.send(getOrganization, {})).status).toBe(200)
  })

  test('are refused if unknown', async () => {
    const params = { id: newId() }
    expect(await operator.send(getOperatedOrganization, { params })).toMatchObject(noOrganization)
    expect(await update(params.id, { plan: 'FREE' })).toMatchObject(noOrganization)
    const answer = await operator.send(inviteOwner, { params, body: { email: 'a@there.test' } })
    expect(answer).toMatchObject(noOrganization)
    expect(await server.sql('select 1 from outbox where organization_id = $1', [params.id])).toEqual([])
    expect(await audited(params.id)).toEqual([])
  })

  test.each([
    [{ plan: 'GOLD' }],
    [{ modulesAdded: ['teleport'] }],
    [{ capabilitiesRemoved: ['crm.leads', 'crm.leads'] }],
    [{ suspended: 'yes' }],
    [{ reason: 'x'.repeat(1_001) }],
    [{ name: 'Renamed' }],
  ])('refuses %j', async body => {
    const org = await server.organization()
    expect(await update(org.id, body)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })

  test.each([
    [{ name: 'X', plan: 'FREE' }],
    [{ name: 'X', plan: 'FREE', ownerEmail: 'nobody' }],
    [{ name: ' ', plan: 'FREE', ownerEmail: 'a@there.test' }],
    [{ name: 'X', plan: 'GOLD', ownerEmail: 'a@there.test' }],
  ])('are not created for %j', async body => {
    const answer = await operator.send(openOrganization, { body: body as never })
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })
})

describe('people', () => {
  test('are found by their exact address', async () => {
    const person = await (await server.organization()).person({ email: 'findable@there.test' })
    const { items } = await operator.call(findPeople, { query: { email: 'Findable@There.test' } })
    expect(items).toEqual([
      { id: person.id, name: person.name, email: person.email, lockedAt: null, lockedReason: null },
    ])
    expect(await operator.call(findPeople, { query: { email: 'unknown@there.test' } })).toEqual({ items: [] })
    expect(await operator.send(findPeople, { query: { email: 'findable' } })).toMatchObject({ status: 400 })
  })

  test('a lock ends their sessions on all processes and refuses sign-in until it is removed', async () => {
    const org = await server.organization()
    const boss = await org.person({ role: 'OWNER' })
    const { invitation, organization } = await operator.call(openOrganization, {
      body: { name: 'Lockable', plan: 'FREE', ownerEmail: 'locked@there.test' },
    })
    const secret = invitationSecret(server, invitation.email)
    const { personId } = await server
      .client()
      .call(acceptInvitation, { body: { secret, name: 'Lou', password } })
    await insertMemberships(server, org.id, [{ id: personId, name: 'Lou', email: invitation.email }])
    const signIn = async () =>
      (
        await fetch(`${server.url}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: invitation.email, password }),
        })
      ).headers.get('set-auth-token')
    const { token } = await connect(server.url, { token: defined(await signIn()) }).call(getSessionToken, {
      query: { organizationId: org.id },
    })
    const there = server.client(token, (await server.anotherApi()).url)
    expect((await there.send(readCaller, {})).status).toBe(200)

    const locked = await operator.call(lockPerson, { params: { id: personId }, body: { reason } })
    expect(locked).toMatchObject({ id: personId, lockedAt: expect.any(String), lockedReason: reason })
    expect((await server.client(token).send(readCaller, {})).status).toBe(401)
    await expect.poll(async () => (await there.send(readCaller, {})).status).toBe(401)
    expect(await signIn()).toBeNull()

    const unlocked = await operator.call(unlockPerson, { params: { id: personId } })
    expect(unlocked).toMatchObject({ lockedAt: null, lockedReason: null })
    expect(await signIn()).not.toBeNull()
    const operation = (verb: string) => ({
      ...by(),
      operation: `POST /api/operator/people/:id/${verb}`,
      subject: personId,
      changed: ['lockedAt'],
    })
    expect(await audited(org.id)).toEqual([operation('lock'), operation('unlock')])
    expect((await audited(organization.id)).slice(-2)).toEqual([operation('lock'), operation('unlock')])
    expect((await boss.send(readCaller, {})).status).toBe(200)
  })

  test('operators cannot lock themselves, an unknown person, or anybody without a reason', async () => {
    const lock = (id: string, body: object) =>
      operator.send(lockPerson, { params: { id }, body: body as never })
    expect(await lock(operator.id, { reason })).toMatchObject({
      status: 409,
      body: { errorCode: 'NOT_ON_YOURSELF' },
    })
    expect((await operator.send(readCaller, {})).status).toBe(200)
    expect(await lock(newId(), { reason })).toMatchObject(noPerson)
    expect(await operator.send(unlockPerson, { params: { id: newId() } })).toMatchObject(noPerson)
    expect(await lock(operator.id, {})).toMatchObject({ status: 400 })
    expect(await lock(operator.id, { reason: '' })).toMatchObject({ status: 400 })
  })

  test("a person without an organization is recorded in the operator's", async () => {
    const id = newId()
    await insertPeople(server, [{ id, name: 'Drifter', email: 'drifter@there.test' }])
    await operator.call(lockPerson, { params: { id }, body: { reason } })
    expect((await audited(operator.organizationId)).at(-1)).toMatchObject({ ...by(), subject: id })
  })
})
