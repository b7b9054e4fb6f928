import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLead } from '#contract/crm/leads.ts'
import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import { updateOrganization } from '#contract/identity/organization.ts'
import { createRole, deleteRole } from '#contract/identity/roles.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { chainHash } from '#platform/events/chain.ts'
import { atLeast, firstOf, itemAt } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { insertMany, insertRows } from '#tests/support/rows.ts'
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

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER', name: 'Olga Owner' })
  admin = await org.person({ role: 'ADMIN' })
  const roles = []
  for (let at = 0; at < 6; at++) {
    roles.push(await owner.call(createRole, { body: { name: `Role number ${at}`, permissions: [] } }))
  }
  await admin.call(deleteRole, { params: { id: firstOf(roles).id } })
  await owner.call(deleteRole, { params: { id: itemAt(roles, 1).id } })
  await server.relayed()
})
afterAll(() => server.close())

const audit = async (query: object = {}, who = owner) => who.call(listAudit, { query: query as never })
const seqs = (page: { items: { seq: number }[] }) => page.items.map(item => item.seq)

describe('reading', () => {
  test('pages with a cursor, newest first', async () => {
    const whole = await audit()
    expect(seqs(whole)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(whole.nextBefore).toBeNull()
    expect(whole.items.at(-1)).toMatchObject({
      actorId: owner.id,
      actorName: 'Olga Owner',
      auth: 'session',
      operation: 'POST /api/org/roles',
      changed: ['name', 'permissions'],
      requestId: expect.stringMatching(/./),
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
    })
    const first = await audit({ limit: 5 })
    expect(first).toEqual({ items: whole.items.slice(0, 5), nextBefore: 4 })
    expect(await audit({ limit: 5, before: 4 })).toEqual({ items: whole.items.slice(5), nextBefore: null })
    expect(await audit({ limit: 4, before: 5 })).toMatchObject({ nextBefore: null })
  })

  test('by actor, subject, operation, and all of them together', async () => {
    const { items } = await audit()
    const [last, beforeLast] = atLeast(2, items)
    expect(seqs(await audit({ actorId: admin.id }))).toEqual([7])
    expect(seqs(await audit({ subject: last.subject }))).toEqual([8, 2])
    expect(seqs(await audit({ operation: last.operation }))).toEqual([8, 7])
    const all = { actorId: admin.id, subject: beforeLast.subject, operation: last.operation }
    expect(seqs(await audit(all))).toEqual([7])
    expect(seqs(await audit({ ...all, actorId: owner.id }))).toEqual([])
  })

  test('by time, including both ends', async () => {
    const { items } = await audit()
    const [from, to] = [itemAt(items, 5).at, itemAt(items, 2).at]
    const expected = items.filter(item => item.at >= from && item.at <= to).map(item => item.seq)
    expect(seqs(await audit({ from, to }))).toEqual(expected)
    expect(seqs(await audit({ from }))).toEqual(items.filter(item => item.at >= from).map(item => item.seq))
    expect(seqs(await audit({ to }))).toEqual(items.filter(item => item.at <= to).map(item => item.seq))
    expect(seqs(await audit({ from: '2999-01-01T00:00:00Z' }))).toEqual([])
  })

  test('an old range is found through the indexes, without reading later entries', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    await insertMany(server, 'audit', 20_000, n => ({
      organization_id: other.id,
      seq: n,
      at: new Date(Date.UTC(2020, 0, 1) + n * 60_000),
    }))
    await server.sql('analyze audit')
    const [from, to] = ['2020-01-02T00:00:00Z', '2020-01-02T01:00:00Z']
    const page = await audit({ from, to, limit: 100 }, boss)
    expect(seqs(page)).toEqual(Array.from({ length: 61 }, (_, at) => 1500 - at))
  })

  test('names people and applications, including deleted ones', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER', name: 'Bea Boss' })
    const app = await makeApplication(server, other, {
      name: 'Fair desk',
      scopes: ['crm:leads:write'],
      principal: boss,
    })
    await app.client.call(createLead, { body: { email: 'lead@example.test' } })
    await boss.call(removeApplication, { params: { id: app.id } })
    await server.relayed()
    const { items } = await audit({}, boss)
    expect(items.map(({ actorId, actorName, subjectName }) => [actorId, actorName, subjectName])).toEqual([
      [boss.id, 'Bea Boss', 'Fair desk'],
      [app.id, 'Fair desk', null],
    ])
    expect(await audit({ actorId: app.id }, boss)).toMatchObject({ items: [{ actorName: 'Fair desk' }] })
  })

  test('requires ORG_MANAGE, and shows only the own organization', async () => {
    const member = await org.person()
    const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
    expect(await member.send(listAudit, {})).toMatchObject(denied)
    expect(await member.send(verifyAudit, {})).toMatchObject(denied)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(await audit({}, stranger)).toEqual({ items: [], nextBefore: null })
    expect(await audit({ actorId: owner.id }, stranger)).toEqual({ items: [], nextBefore: null })
  })

  test.each([[{ limit: 101 }], [{ before: 0 }], [{ from: 'yesterday' }], [{ operation: 'x'.repeat(201) }]])(
    'refuses %j',
    async query => {
      const answer = await owner.send(listAudit, { query: query as never })
      expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
    },
  )
})

describe('verifying', () => {
  let boss: Person
  const verify = () => boss.call(verifyAudit, {})
  const change = (text: string) => server.sql(`${text} and organization_id = $1`, [boss.organizationId])

  beforeAll(async () => {
    boss = await (await server.organization()).person({ role: 'OWNER' })
    for (let at = 0; at < 5; at++) await boss.call(updateOrganization, { body: { name: `Name ${at}` } })
    await server.relayed()
  })

  test('an empty and an untouched log are valid', async () => {
    const newcomer = await (await server.organization()).person({ role: 'OWNER' })
    expect(await newcomer.call(verifyAudit, {})).toEqual({ valid: true, checked: 0, brokenAt: null })
    expect(await verify()).toEqual({ valid: true, checked: 5, brokenAt: null })
  })

  test('finds an altered, a removed and a moved entry and a missing end', async () => {
    await change(`update audit set changed = '{features}' where seq = 2`)
    expect(await verify()).toMatchObject({ valid: false, brokenAt: 2 })
    await change(`update audit set changed = '{name}' where seq = 2`)
    expect(await verify()).toMatchObject({ valid: true })
    await change('update audit set seq = 100 where seq = 3')
    expect(await verify()).toMatchObject({ valid: false, brokenAt: 3 })
    await change('update audit set seq = 3 where seq = 100')
    await change('update audit set seq = 100 where seq = 5')
    expect(await verify()).toEqual({ valid: false, checked: 4, brokenAt: 5 })
    await change('update audit set seq = 5 where seq = 100')
    expect(await verify()).toEqual({ valid: true, checked: 5, brokenAt: null })
  })

  test('reads long logs in pages', async () => {
    const long = await (await server.organization()).person({ role: 'OWNER' })
    const { organizationId } = long
    const rows = []
    let hash = ''
    for (let seq = 1; seq <= 4_100; seq++) {
      const at = new Date(1_700_000_000_000 + seq).toISOString()
      const same = {
        id: `a${seq}`,
        auth: 'session',
        ip: '',
        client: '',
        operation: 'POST /x',
        changed: [],
        at,
      }
      hash = chainHash({ ...same, organizationId, seq, actorId: null, subject: null, requestId: '' }, hash)
      rows.push({ ...same, organization_id: organizationId, seq, request_id: '', hash })
    }
    await insertRows(server, 'audit', rows)
    await insertRows(server, 'relay_head', [
      { organization_id: organizationId, audit_seq: 4_100, audit_hash: hash },
    ])
    expect(await long.call(verifyAudit, {})).toEqual({ valid: true, checked: 4_100, brokenAt: null })
    await server.sql(`update audit set ip = '6.6.6.6' where organization_id = $1 and seq = 4001`, [
      organizationId,
    ])
    expect(await long.call(verifyAudit, {})).toMatchObject({ valid: false, brokenAt: 4_001 })
  })
})
