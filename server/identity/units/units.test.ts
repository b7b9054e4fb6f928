import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listMemberUnits } from '#contract/identity/organization.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import { units } from '#contract/identity/units.ts'
import { newId } from '#platform/ids.ts'
import type { Answer } from '#sdk/client.ts'
import { firstOf, itemAt, mapAll } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
let member: Person

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER', name: 'Olga' })
  member = await org.person({ name: 'Mia' })
})
afterAll(() => server.close())

const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
const missing = { status: 404, body: { errorCode: 'UNIT_NOT_FOUND' } }
const idsOf = { DEPARTMENT: 'departmentIds', WORKSPACE: 'workspaceIds', GROUP: 'groupIds' } as const

describe.each(units.map(unit => [unit.kind, unit] as const))('%s', (kind, unit) => {
  test('is created, listed by name, searched, renamed and deleted', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    const reader = await other.person()
    const b = await boss.call(unit.create, { body: { name: ' Beta ' } })
    const a = await boss.call(unit.create, { body: { name: 'alpha' } })
    expect(b.name).toBe('Beta')
    expect(await reader.call(unit.list, {})).toEqual({ items: [a, b], total: 2, limit: 20, offset: 0 })
    expect(await reader.call(unit.list, { query: { search: 'BET' } })).toMatchObject({ items: [b], total: 1 })
    expect(await reader.call(unit.list, { query: { limit: 1, offset: 1 } })).toMatchObject({ items: [b] })
    const renamed = await boss.call(unit.rename, { params: { id: b.id }, body: { name: 'Gamma' } })
    expect(renamed).toMatchObject({ id: b.id, name: 'Gamma', createdAt: b.createdAt })
    await boss.call(unit.remove, { params: { id: a.id } })
    expect(await reader.call(unit.list, {})).toMatchObject({ items: [renamed], total: 1 })
    await server.relayed()
    const rows = await server.sql<{ subject: string; changed: string[] }>(
      'select subject, changed from audit where organization_id = $1 order by seq',
      [other.id],
    )
    expect(rows.map(row => [row.subject, row.changed])).toEqual([
      [b.id, ['name']],
      [a.id, ['name']],
      [b.id, ['name']],
      [a.id, []],
    ])
  })

  test('writing requires ORG_MANAGE', async () => {
    const { id } = await owner.call(unit.create, { body: { name: 'Guarded' } })
    const params = { id, personId: member.id }
    expect(await member.send(unit.create, { body: { name: 'x' } })).toMatchObject(denied)
    expect(await member.send(unit.rename, { params, body: { name: 'x' } })).toMatchObject(denied)
    expect(await member.send(unit.remove, { params })).toMatchObject(denied)
    expect(await member.send(unit.addMember, { params })).toMatchObject(denied)
    expect(await member.send(unit.removeMember, { params })).toMatchObject(denied)
    const clerk = await org.person({ permissions: ['ORG_MANAGE'] })
    expect((await clerk.send(unit.addMember, { params })).status).toBe(204)
  })

  test('names are unique within a kind', async () => {
    const first = await owner.call(unit.create, { body: { name: 'Taken' } })
    const second = await owner.call(unit.create, { body: { name: 'Free' } })
    const taken = { status: 409, body: { errorCode: 'NAME_TAKEN' } }
    expect(await owner.send(unit.create, { body: { name: 'tAKEN' } })).toMatchObject(taken)
    const rename = (id: string) => owner.send(unit.rename, { params: { id }, body: { name: 'TAKEN' } })
    expect(await rename(second.id)).toMatchObject(taken)
    expect(await rename(first.id)).toMatchObject({ status: 200 })
  })

  test('members can be added and removed; a repetition changes and records nothing', async () => {
    const { id } = await owner.call(unit.create, { body: { name: 'Team' } })
    const params = { id, personId: member.id }
    const mine = async () => (await member.call(readCaller, {}))[idsOf[kind]]
    for (let time = 0; time < 2; time++) {
      expect((await owner.send(unit.addMember, { params })).status).toBe(204)
      expect(await mine()).toContain(id)
    }
    await owner.call(unit.addMember, { params: { id, personId: owner.id } })
    const listed = await member.call(unit.listMembers, { params: { id } })
    expect(listed).toMatchObject({ total: 2, items: [{ name: 'Mia' }, { name: 'Olga' }] })
    for (let time = 0; time < 2; time++) {
      expect((await owner.send(unit.removeMember, { params })).status).toBe(204)
      expect(await mine()).not.toContain(id)
    }
    await server.relayed()
    const [{ count } = { count: 0 }] = await server.sql<{ count: number }>(
      `select count(*)::int as count from audit where subject = $1 and changed = $2`,
      [id, [`members.${member.id}`]],
    )
    expect(count).toBe(2)
  })

  test('deleting it removes its members, also on another process', async () => {
    const second = await server.anotherApi()
    const there = member.at(second.url)
    const { id } = await owner.call(unit.create, { body: { name: 'Doomed' } })
    await owner.call(unit.addMember, { params: { id, personId: member.id } })
    await expect.poll(async () => (await there.call(readCaller, {}))[idsOf[kind]]).toContain(id)
    await owner.call(unit.remove, { params: { id } })
    expect((await member.call(readCaller, {}))[idsOf[kind]]).not.toContain(id)
    await expect.poll(async () => (await there.call(readCaller, {}))[idsOf[kind]]).not.toContain(id)
  })

  test("another organization's unit, another kind's and a random id get the same reply", async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const foreign = await stranger.call(unit.create, { body: { name: 'Foreign' } })
    const sibling = itemAt(units, (units.indexOf(unit) + 1) % units.length)
    const other = await owner.call(sibling.create, { body: { name: `Not a ${kind}` } })
    const ids = [foreign.id, other.id, newId()]
    const body = { name: 'x' }
    const calls: ((id: string) => Promise<Answer<unknown>>)[] = [
      (id: string) => owner.send(unit.rename, { params: { id }, body }),
      (id: string) => owner.send(unit.remove, { params: { id } }),
      (id: string) => owner.send(unit.listMembers, { params: { id } }),
      (id: string) => owner.send(unit.addMember, { params: { id, personId: member.id } }),
      (id: string) => owner.send(unit.removeMember, { params: { id, personId: member.id } }),
    ]
    for (const call of calls) {
      const answers = await Promise.all(ids.map(call))
      expect(answers[0]).toMatchObject(missing)
      expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    }
    const { id } = await owner.call(unit.create, { body: { name: 'Ours' } })
    const people = await mapAll([stranger.id, newId()], personId =>
      owner.send(unit.addMember, { params: { id, personId } }),
    )
    expect(people[0]).toMatchObject({ status: 404, body: { errorCode: 'MEMBER_NOT_FOUND' } })
    expect(people[0].text).toBe(people[1].text)
  })

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(121) }],
    [{ name: 7 }],
    [{ name: 'x', x: 1 }],
  ])('refuses %j', async body => {
    const answer = await owner.send(unit.create, { body: body as never })
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })
})

test('lists the units of a member, by kind and name', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const member = await organization.person()
  const params = { personId: member.id }
  const made: { id: string; kind: string; name: string }[] = []
  for (const [{ kind, create, addMember }, name] of [
    [itemAt(units, 2), 'Reviewers'],
    [firstOf(units), 'sales'],
    [firstOf(units), 'Design'],
  ] as const) {
    const { id } = await owner.call(create, { body: { name } })
    await owner.call(addMember, { params: { id, personId: member.id } })
    made.unshift({ id, kind, name })
  }
  const listed = await member.call(listMemberUnits, { params })
  expect(listed).toMatchObject({ items: made, total: 3 })
  expect(await member.call(listMemberUnits, { params, query: { limit: 1, offset: 1 } })).toMatchObject({
    items: [made[1]],
    total: 3,
  })
  const stranger = await (await server.organization()).person()
  expect(refusalOf(await stranger.send(listMemberUnits, { params }))).toEqual([404, 'MEMBER_NOT_FOUND'])
})
