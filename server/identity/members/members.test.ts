import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getMember, listMembers, removeMember, updateMember } from '#contract/identity/organization.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import { addDepartmentMember, createDepartment } from '#contract/identity/units.ts'
import { newId } from '#platform/ids.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
let admin: Person
let member: Person

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER', name: 'Olga Owner', email: 'olga@one.test' })
  admin = await org.person({ role: 'ADMIN', name: 'Adam Admin', email: 'adam@one.test' })
  member = await org.person({ name: '100% Müller_Ünal', email: 'member@one.test' })
})
afterAll(() => server.close())

const audited = async (organizationId: string) => {
  await server.relayed()
  return server.sql(
    'select operation, subject, actor_id, changed, auth from audit where organization_id = $1 order by seq',
    [organizationId],
  )
}
const give = (who: Person, personId: string, body: { role: string; roleId?: string }) =>
  who.send(updateMember, { params: { personId }, body: body as never })

describe('listing members', () => {
  test('by name, for every member, in consistent pages', async () => {
    const whole = await member.call(listMembers, {})
    expect(whole.items.map(item => item.name)).toEqual(['100% Müller_Ünal', 'Adam Admin', 'Olga Owner'])
    expect(whole).toMatchObject({ total: 3, limit: 20, offset: 0 })
    const second = await member.call(listMembers, { query: { limit: 1, offset: 1 } })
    expect(second).toMatchObject({ items: [whole.items[1]], total: 3, limit: 1, offset: 1 })
  })

  test.each([
    ['OLGA', ['Olga Owner']],
    ['@one.test', ['100% Müller_Ünal', 'Adam Admin', 'Olga Owner']],
    ['100%', ['100% Müller_Ünal']],
    ['%', ['100% Müller_Ünal']],
    ['r_ü', ['100% Müller_Ünal']],
    ['\\', []],
    ['nobody', []],
  ])('search %s', async (search, names) => {
    const found = await member.call(listMembers, { query: { search } })
    expect(found.items.map(item => item.name)).toEqual(names)
    expect(found.total).toBe(names.length)
  })

  test('by role and by custom role', async () => {
    const other = await server.organization()
    const asker = await other.person()
    const custom = await other.person({ permissions: ['STUDIO_VIEW'] })
    const { roleId } = await asker.call(getMember, { params: { personId: custom.id } })
    const byRole = await asker.call(listMembers, { query: { role: 'CUSTOM' } })
    const byId = await asker.call(listMembers, { query: { roleId: defined(roleId), search: custom.email } })
    expect(byRole.items).toEqual(byId.items)
    expect(byRole.items).toMatchObject([
      { personId: custom.id, role: 'CUSTOM', roleId, roleName: expect.any(String) },
    ])
    expect(await asker.call(listMembers, { query: { role: 'ADMIN' } })).toMatchObject({ items: [], total: 0 })
  })

  test('only the own organization', async () => {
    const stranger = await (await server.organization()).person()
    expect((await stranger.call(listMembers, {})).items.map(item => item.personId)).toEqual([stranger.id])
  })

  test.each([
    [{ limit: 0 }],
    [{ limit: 101 }],
    [{ offset: 10_001 }],
    [{ search: '' }],
    [{ search: 'x'.repeat(201) }],
    [{ role: 'KING' }],
  ])('refuses %j', async query => {
    const answer = await member.send(listMembers, { query: query as never })
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })
})

describe('one member', () => {
  test("another organization's member, a removed one and a random id get the same reply", async () => {
    const stranger = await (await server.organization()).person()
    const former = await org.person()
    await owner.call(removeMember, { params: { personId: former.id } })
    const answers = await Promise.all(
      [stranger.id, former.id, newId()].map(personId => member.send(getMember, { params: { personId } })),
    )
    expect(answers[0]).toMatchObject({ status: 404, body: { errorCode: 'MEMBER_NOT_FOUND' } })
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
  })
})

describe('changing a role', () => {
  test('requires ORG_MANAGE', async () => {
    const viewer = await org.person({ permissions: ['STUDIO_VIEW'] })
    for (const who of [member, viewer]) {
      expect(await give(who, who.id, { role: 'ADMIN' })).toMatchObject({
        status: 403,
        body: { errorCode: 'PERMISSION_DENIED' },
      })
    }
  })

  test('an administrator can add administrators, but not owners', async () => {
    const person = await org.person()
    expect(await give(admin, person.id, { role: 'ADMIN' })).toMatchObject({
      status: 200,
      body: { role: 'ADMIN', roleId: null },
    })
    expect(await give(admin, person.id, { role: 'OWNER' })).toMatchObject({
      status: 403,
      body: { errorCode: 'OWNER_ONLY' },
    })
    expect(await give(admin, owner.id, { role: 'MEMBER' })).toMatchObject({
      status: 403,
      body: { errorCode: 'OWNER_ONLY' },
    })
    expect(await give(owner, person.id, { role: 'OWNER' })).toMatchObject({
      status: 200,
      body: { role: 'OWNER' },
    })
    expect(await give(owner, person.id, { role: 'MEMBER' })).toMatchObject({ status: 200 })
  })

  test('nobody can assign more permissions than they have', async () => {
    const clerk = await org.person({ permissions: ['ORG_MANAGE', 'CHAT_USE'] })
    const chatter = await org.person({ permissions: ['CHAT_USE'] })
    const verifier = await org.person({ permissions: ['STUDIO_VERIFY'] })
    const person = await org.person({ permissions: ['CHAT_USE'] })
    const roleOf = async (who: Person) =>
      defined((await member.call(getMember, { params: { personId: who.id } })).roleId)
    const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
    expect(await give(clerk, person.id, { role: 'ADMIN' })).toMatchObject(denied)
    expect(await give(clerk, person.id, { role: 'MEMBER' })).toMatchObject(denied)
    expect(await give(clerk, clerk.id, { role: 'ADMIN' })).toMatchObject(denied)
    expect(await give(clerk, admin.id, { role: 'CUSTOM', roleId: await roleOf(chatter) })).toMatchObject(
      denied,
    )
    expect(await give(clerk, person.id, { role: 'CUSTOM', roleId: await roleOf(chatter) })).toMatchObject({
      status: 200,
    })
    expect(await give(owner, person.id, { role: 'CUSTOM', roleId: await roleOf(verifier) })).toMatchObject(
      denied,
    )
  })

  test('CUSTOM requires a roleId of this organization', async () => {
    const theirs = await (await server.organization()).person({ permissions: [] })
    const { roleId } = await theirs.call(getMember, { params: { personId: theirs.id } })
    expect(await give(owner, member.id, { role: 'CUSTOM' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'roleId' }] },
    })
    expect(await give(owner, member.id, { role: 'MEMBER', roleId: newId() })).toMatchObject({ status: 400 })
    const foreign = await give(owner, member.id, { role: 'CUSTOM', roleId: defined(roleId) })
    const random = await give(owner, member.id, { role: 'CUSTOM', roleId: newId() })
    expect(foreign).toMatchObject({ status: 404, body: { errorCode: 'ROLE_NOT_FOUND' } })
    expect(foreign.text).toBe(random.text)
    expect(await give(owner, member.id, { role: 'KING' })).toMatchObject({ status: 400 })
    expect(await give(owner, newId(), { role: 'MEMBER' })).toMatchObject({ status: 404 })
    expect(await give(owner, theirs.id, { role: 'MEMBER' })).toMatchObject({ status: 404 })
  })

  test('the last owner stays an owner', async () => {
    const other = await server.organization()
    const alone = await other.person({ role: 'OWNER' })
    const last = { status: 409, body: { errorCode: 'LAST_OWNER' } }
    expect(await give(alone, alone.id, { role: 'ADMIN' })).toMatchObject(last)
    expect(await alone.send(removeMember, { params: { personId: alone.id } })).toMatchObject(last)
    expect(await give(alone, alone.id, { role: 'OWNER' })).toMatchObject({ status: 200 })
  })

  test('two owners who demote each other concurrently leave one', async () => {
    for (let round = 0; round < 8; round++) {
      const other = await server.organization()
      const owners = await Promise.all([1, 2, 3].map(() => other.person({ role: 'OWNER' })))
      // known already, so that admission does not spread them out
      await Promise.all(owners.map(who => who.call(readCaller, {})))
      const answers = await Promise.all(
        owners.map((who, at) =>
          round % 2 === 0
            ? give(who, itemAt(owners, (at + 1) % 3).id, { role: 'MEMBER' })
            : who.send(removeMember, { params: { personId: who.id } }),
        ),
      )
      const left = only(
        await server.sql<{ count: number }>(
          `select count(*)::int as count from membership where organization_id = $1 and role = 'OWNER' and removed_at is null`,
          [other.id],
        ),
      )
      expect(left.count).toBeGreaterThanOrEqual(1)
      expect(left.count).toBe(3 - answers.filter(answer => answer.status < 300).length)
      // 403: demoted already when their own request came in
      expect([200, 204, 403, 409]).toEqual(expect.arrayContaining(answers.map(answer => answer.status)))
    }
  })

  test('is recorded once, a repetition without changed fields, a refusal not at all', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    const person = await other.person()
    await give(boss, person.id, { role: 'ADMIN' })
    await give(boss, person.id, { role: 'ADMIN' })
    await give(boss, boss.id, { role: 'MEMBER' })
    const row = {
      operation: 'PATCH /api/org/members/:personId',
      subject: person.id,
      actor_id: boss.id,
      auth: 'session',
    }
    expect(await audited(other.id)).toEqual([
      { ...row, changed: ['role'] },
      { ...row, changed: [] },
    ])
  })

  test('takes effect on every process within two seconds', async () => {
    const second = await server.anotherApi()
    const person = await org.person()
    const there = person.at(second.url)
    expect((await there.call(readCaller, {})).permissions).not.toContain('ORG_MANAGE')
    expect((await person.call(readCaller, {})).permissions).not.toContain('ORG_MANAGE')
    await give(owner, person.id, { role: 'ADMIN' })
    expect((await person.call(readCaller, {})).permissions).toContain('ORG_MANAGE')
    await expect.poll(async () => (await there.call(readCaller, {})).permissions).toContain('ORG_MANAGE')
    await owner.call(removeMember, { params: { personId: person.id } })
    expect((await person.send(readCaller, {})).status).toBe(401)
    await expect.poll(async () => (await there.send(readCaller, {})).status).toBe(401)
  })
})

describe('removing a member', () => {
  test('members can leave, ORG_MANAGE can remove others, and only owners can remove owners', async () => {
    const leaver = await org.person()
    const victim = await org.person()
    const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
    expect(await leaver.send(removeMember, { params: { personId: victim.id } })).toMatchObject(denied)
    expect(await leaver.send(removeMember, { params: { personId: newId() } })).toMatchObject(denied)
    expect((await leaver.send(removeMember, { params: { personId: leaver.id } })).status).toBe(204)
    expect((await leaver.send(listMembers, {})).status).toBe(401)
    expect(await admin.send(removeMember, { params: { personId: owner.id } })).toMatchObject({
      body: { errorCode: 'OWNER_ONLY' },
    })
    expect((await admin.send(removeMember, { params: { personId: victim.id } })).status).toBe(204)
    expect((await admin.send(removeMember, { params: { personId: victim.id } })).status).toBe(404)
  })

  test('removes them from their units and keeps the row with their name', async () => {
    const person = await org.person({ permissions: ['CHAT_USE'], name: 'Once Here' })
    const unit = await owner.call(createDepartment, { body: { name: 'Short-lived' } })
    await owner.call(addDepartmentMember, { params: { id: unit.id, personId: person.id } })
    await owner.call(removeMember, { params: { personId: person.id } })
    expect(await server.sql('select 1 from unit_member where person_id = $1', [person.id])).toEqual([])
    const [row] = await server.sql(
      'select name, removed_at, custom_role_id from membership where person_id = $1',
      [person.id],
    )
    expect(row).toMatchObject({ name: 'Once Here', removed_at: expect.anything(), custom_role_id: null })
  })
})
