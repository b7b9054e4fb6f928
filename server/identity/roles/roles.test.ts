import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvitation } from '#contract/identity/invitations.ts'
import { removeMember, updateMember } from '#contract/identity/organization.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from '#contract/identity/roles.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { mapAll } from '#tests/support/elements.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
})
afterAll(() => server.close())

let count = 0
const newRole = (permissions: string[] = ['CHAT_USE'], who = owner) =>
  who.send(createRole, { body: { name: `New role ${++count}`, permissions: permissions as never } })

const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
const missing = { status: 404, body: { errorCode: 'ROLE_NOT_FOUND' } }
const taken = { status: 409, body: { errorCode: 'NAME_TAKEN' } }

test('is created, read, listed by name, renamed and deleted', async () => {
  const other = await server.organization()
  const boss = await other.person({ role: 'OWNER' })
  const member = await other.person()
  const b = await boss.call(createRole, { body: { name: ' b ', permissions: ['CHAT_USE', 'STUDIO_VIEW'] } })
  const a = await boss.call(createRole, { body: { name: 'A', permissions: [] } })
  expect(b).toMatchObject({ name: 'b', permissions: ['CHAT_USE', 'STUDIO_VIEW'] })
  expect(await member.call(listRoles, {})).toEqual({ items: [a, b], total: 2, limit: 20, offset: 0 })
  expect(await member.call(listRoles, { query: { offset: 1, limit: 1 } })).toMatchObject({
    items: [b],
    total: 2,
  })
  const renamed = await boss.call(updateRole, { params: { id: b.id }, body: { name: 'C' } })
  expect(renamed).toMatchObject({ name: 'C', permissions: b.permissions })
  expect(await member.call(getRole, { params: { id: b.id } })).toEqual(renamed)
  expect((await boss.send(deleteRole, { params: { id: b.id } })).status).toBe(204)
  expect(await boss.send(getRole, { params: { id: b.id } })).toMatchObject(missing)
  await server.relayed()
  const rows = await server.sql(
    'select operation, subject, changed from audit where organization_id = $1 order by seq',
    [other.id],
  )
  expect(rows).toEqual([
    { operation: 'POST /api/org/roles', subject: b.id, changed: ['name', 'permissions'] },
    { operation: 'POST /api/org/roles', subject: a.id, changed: ['name', 'permissions'] },
    { operation: 'PATCH /api/org/roles/:id', subject: b.id, changed: ['name'] },
    { operation: 'DELETE /api/org/roles/:id', subject: b.id, changed: [] },
  ])
})

describe('permissions', () => {
  test('writing requires ORG_MANAGE', async () => {
    const { body: role } = await newRole()
    const member = await org.person()
    const params = { id: role.id }
    expect(await newRole([], member)).toMatchObject(denied)
    expect(await member.send(updateRole, { params, body: { name: 'x' } })).toMatchObject(denied)
    expect(await member.send(deleteRole, { params })).toMatchObject(denied)
  })

  test('nobody can give a role a permission that they lack', async () => {
    const clerk = await org.person({ permissions: ['ORG_MANAGE', 'CHAT_USE'] })
    expect(await newRole(['CHAT_USE'], clerk)).toMatchObject({ status: 201 })
    expect(await newRole(['CHAT_USE', 'STUDIO_VIEW'], clerk)).toMatchObject(denied)
    expect(await newRole(['STUDIO_VERIFY'])).toMatchObject(denied)
    const { body: role } = await newRole(['STUDIO_VIEW', 'CHAT_USE'])
    const change = (body: object) => clerk.send(updateRole, { params: { id: role.id }, body })
    expect(await change({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })).toMatchObject(denied)
    expect(await change({ permissions: ['STUDIO_VIEW', 'ORG_MANAGE'] })).toMatchObject({ status: 200 })
    expect(await change({ name: 'Renamed by a clerk' })).toMatchObject({ status: 200 })
  })

  test('the super administrator can put STUDIO_VERIFY in a role, and only they can assign it', async () => {
    const operator = await server.operator()
    const role = await operator.call(createRole, {
      body: { name: 'Verifier', permissions: ['STUDIO_VERIFY'] },
    })
    expect(role.permissions).toEqual(['STUDIO_VERIFY'])
    expect((await operator.send(deleteRole, { params: { id: role.id } })).status).toBe(204)
  })
})

test("another organization's role and a random id get the same reply", async () => {
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const { body: theirs } = await newRole(['CHAT_USE'], stranger)
  for (const operation of [getRole, updateRole, deleteRole] as Operation[]) {
    const body = operation === updateRole ? { body: { name: 'x' } } : {}
    const [foreign, random] = await mapAll([theirs.id, newId()], id =>
      owner.send(operation, { params: { id }, ...body } as never),
    )
    expect(foreign).toMatchObject(missing)
    expect(foreign.text).toBe(random.text)
  }
})

test('names are unique regardless of case, and built-in names are refused', async () => {
  const role = await owner.call(createRole, { body: { name: 'Editor', permissions: [] } })
  const second = await owner.call(createRole, { body: { name: 'Reviewer', permissions: [] } })
  expect(await owner.send(createRole, { body: { name: 'eDITOR', permissions: [] } })).toMatchObject(taken)
  expect(await owner.send(createRole, { body: { name: 'Owner', permissions: [] } })).toMatchObject(taken)
  const rename = (id: string, name: string) => owner.send(updateRole, { params: { id }, body: { name } })
  expect(await rename(second.id, 'editor')).toMatchObject(taken)
  expect(await rename(second.id, 'ADMIN')).toMatchObject(taken)
  expect(await rename(role.id, 'editor')).toMatchObject({ status: 200, body: { name: 'editor' } })
})

describe('deleting', () => {
  test('is refused while a member or an open invitation has the role', async () => {
    const { body: role } = await newRole()
    const params = { id: role.id }
    const inUse = { status: 409, body: { errorCode: 'ROLE_IN_USE' } }
    const person = await org.person()
    const give = { role: 'CUSTOM', roleId: role.id } as const
    await owner.call(updateMember, { params: { personId: person.id }, body: give })
    expect(await owner.send(deleteRole, { params })).toMatchObject(inUse)
    await owner.call(removeMember, { params: { personId: person.id } })
    await owner.call(createInvitation, { body: { email: 'waiting@roles.test', ...give } })
    expect(await owner.send(deleteRole, { params })).toMatchObject(inUse)
    await server.sql(
      `update invitation set expires_at = now() - make_interval(secs => 0.001) where email = 'waiting@roles.test'`,
    )
    expect((await owner.send(deleteRole, { params })).status).toBe(204)
  })

  test('and assigning it concurrently: one of the two wins', async () => {
    for (let round = 0; round < 10; round++) {
      const { body: role } = await newRole()
      const person = await org.person()
      const [given, deleted] = await Promise.all([
        owner.send(updateMember, {
          params: { personId: person.id },
          body: { role: 'CUSTOM', roleId: role.id },
        }),
        owner.send(deleteRole, { params: { id: role.id } }),
      ])
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([given.status, deleted.status])
    }
  })
})

test('new permissions take effect on every process within two seconds', async () => {
  const second = await server.anotherApi()
  const { body: role } = await newRole(['CHAT_USE'])
  const people = [await org.person(), await org.person()]
  for (const person of people) {
    const params = { personId: person.id }
    await owner.call(updateMember, { params, body: { role: 'CUSTOM', roleId: role.id } })
    expect((await person.at(second.url).call(readCaller, {})).permissions).toEqual(['CHAT_USE'])
  }
  await owner.call(updateRole, { params: { id: role.id }, body: { permissions: ['STUDIO_VIEW'] } })
  for (const person of people) {
    expect((await person.call(readCaller, {})).permissions).toEqual(['STUDIO_VIEW'])
    const there = async () => (await person.at(second.url).call(readCaller, {})).permissions
    await expect.poll(there).toEqual(['STUDIO_VIEW'])
  }
})

test.each([
  [{ name: 'x' }],
  [{ name: '', permissions: [] }],
  [{ name: '   ', permissions: [] }],
  [{ name: 'a\nb', permissions: [] }],
  [{ name: 'x'.repeat(61), permissions: [] }],
  [{ name: 'x', permissions: ['FLY'] }],
  [{ name: 'x', permissions: ['CHAT_USE', 'CHAT_USE'] }],
  [{ name: 'x', permissions: [], color: 'red' }],
])('refuses %j', async body => {
  const answer = await owner.send(createRole, { body: body as never })
  expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
})
