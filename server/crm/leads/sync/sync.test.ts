import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { syncLeads } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { Client } from '#sdk/client.ts'
import { runRestored } from '#server/jobs.ts'
import { eraseLeadOf, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { plantLeads } from '#tests/support/crm/many-leads.ts'
import { exactly, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

type Query = Input<typeof syncLeads>['query']
const ask = (query: Query = {}, by: Client = owner) => by.call(syncLeads, { query })
const refused = async (query: Query, by: Client = owner) => refusalOf(await by.send(syncLeads, { query }))
const qualify = ({ id }: { id: string }) => owner.call(qualifyLead, { params: { id }, body: {} })
const createLeads = async (count: number) => {
  const leads = []
  for (let n = 0; n < count; n++) leads.push(await makeLead(owner))
  return leads
}
const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

describe('pages', () => {
  test('are in the order of the last change, and a lead that changes again is returned again', async () => {
    const leads = exactly(5, await createLeads(5))
    const first = await ask({ limit: 2 })
    expect([ids(first), first.hasMore]).toEqual([leads.slice(0, 2).map(({ id }) => id), true])
    await qualify(leads[0])
    await qualify(leads[3])
    const second = await ask({ limit: 2, cursor: first.nextCursor })
    expect([ids(second), second.hasMore]).toEqual([[leads[2].id, leads[4].id], true])
    const third = await ask({ limit: 2, cursor: second.nextCursor })
    expect([ids(third), third.hasMore]).toEqual([[leads[0].id, leads[3].id], false])
    expect(third.data[0]).toMatchObject({ status: 'QUALIFIED', email: leads[0].email })
    const empty = await ask({ cursor: third.nextCursor })
    expect(empty).toEqual({ data: [], nextCursor: third.nextCursor, hasMore: false })
  })

  test('have the requested size, by default 200', async () => {
    await createLeads(2)
    await plantLeads(server, organization.id, 1_100)
    expect((await ask()).data).toHaveLength(limits.leadSyncPageDefault)
    const page = await ask({ limit: limits.leadSyncPage })
    expect([page.data.length, page.hasMore]).toEqual([limits.leadSyncPage, true])
    // leads with the same time are ordered by id
    const rest = await ask({ cursor: page.nextCursor, limit: limits.leadSyncPage })
    expect(new Set([...ids(page), ...ids(rest)]).size).toBe(1102)
    expect(await refused({ limit: limits.leadSyncPage + 1 })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused({ limit: 0 })).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('contain leads of every status, and tombstones of erased ones', async () => {
    const [stored, lost, erased] = exactly(3, await createLeads(3))
    await qualify(lost)
    const { nextCursor } = await ask()
    const { erasedAt } = await eraseLeadOf(owner, erased.id)
    const page = await ask({ cursor: nextCursor })
    expect(page.data).toEqual([{ id: erased.id, erased: true, updatedAt: erasedAt }])
    expect(ids(await ask())).toEqual([stored.id, lost.id, erased.id])
  })

  test('begin at `updatedSince`, which itself is in them', async () => {
    const [, second, third] = exactly(3, await createLeads(3))
    const page = await ask({ updatedSince: second.updatedAt })
    expect(ids(page)).toEqual([second.id, third.id])
    expect(await ask({ updatedSince: '2999-01-01T00:00:00Z' })).toMatchObject({ data: [], hasMore: false })
    expect(ids(await ask({ updatedSince: '1000-01-01T00:00:00Z' }))).toHaveLength(3)
    expect(ids(await ask({ updatedSince: '2016-12-31T23:59:60Z' }))).toHaveLength(3)
  })
})

describe('a cursor', () => {
  test('of an organization without leads continues with the first one', async () => {
    const { data, nextCursor } = await ask()
    expect(data).toEqual([])
    expect((await ask({ cursor: nextCursor })).nextCursor).toBe(nextCursor)
    const lead = only(await createLeads(1))
    const page = await ask({ cursor: nextCursor })
    expect(ids(page)).toEqual([lead.id])
    expect(page.nextCursor).not.toBe(nextCursor)
  })

  test('that is invalid or belongs to another organization is refused', async () => {
    await createLeads(1)
    const { nextCursor } = await ask()
    const elsewhere = await (await server.organization()).person()
    await makeLead(elsewhere)
    const foreign = (await ask({}, elsewhere)).nextCursor
    const late = Buffer.from(
      Buffer.from(nextCursor, 'base64url')
        .toString()
        .replace(/ \d{13} /, ' 0 '),
    )
    for (const cursor of [
      'x',
      '\u{1f600}',
      'AAAA',
      nextCursor.slice(0, -3),
      late.toString('base64url'),
      foreign,
    ]) {
      const answer = await owner.send(syncLeads, { query: { cursor } })
      expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body).toMatchObject({ details: [{ path: 'cursor' }] })
    }
    expect(await refused({ cursor: 'c'.repeat(201) })).toEqual([400, 'VALIDATION_ERROR'])
    const both = await owner.send(syncLeads, {
      query: { cursor: nextCursor, updatedSince: '2026-01-01T00:00:00Z' },
    })
    expect(refusalOf(both)).toEqual([400, 'VALIDATION_ERROR'])
    expect(both.body).toMatchObject({ details: [{ path: 'updatedSince' }] })
  })

  test('from before a restore has expired, and a new start returns everything', async () => {
    const lead = only(await createLeads(1))
    const { nextCursor } = await ask()
    const nobody = await (await server.organization()).person()
    const unborn = (await ask({}, nobody)).nextCursor
    expect(await runRestored(server.config)).toBe(0)
    expect(await refused({ cursor: nextCursor })).toEqual([410, 'SYNC_CURSOR_EXPIRED'])
    const again = await ask()
    expect(ids(again)).toEqual([lead.id])
    expect(await ask({ cursor: again.nextCursor })).toMatchObject({ data: [] })
    // a reader that has seen nothing can continue
    expect(await ask({ cursor: unborn }, nobody)).toMatchObject({ data: [] })
  })

  test('of a deleted clock has expired', async () => {
    await createLeads(1)
    const { nextCursor } = await ask()
    await server.sql('delete from lead_clock where organization_id = $1', [organization.id])
    expect(await refused({ cursor: nextCursor })).toEqual([410, 'SYNC_CURSOR_EXPIRED'])
  })
})

describe('an application', () => {
  test('receives requested parts that it may read; a header names the others', async () => {
    await makeLead(owner, { notes: 'Likes blue', score: 40, temperature: 'WARM' })
    const of = async (scopes: Parameters<typeof makeApplication>[2]) =>
      (await makeApplication(server, organization, scopes)).client
    const all = await of({ scopes: ['crm:leads:read', 'crm:leads:read:scoring', 'crm:leads:read:notes'] })
    const plain = await of({ scopes: ['crm:leads:read'] })
    const query: Query = { include: ['scoring', 'notes'] }
    expect((await ask(query, all)).data).toMatchObject([
      { score: 40, temperature: 'WARM', notes: 'Likes blue' },
    ])
    const answer = await plain.send(syncLeads, { query })
    expect(answer.headers.get('x-service-omitted')).toBe('scoring, notes')
    for (const data of [answer.body.data, (await ask({}, all)).data]) {
      expect(data).toHaveLength(1)
      expect(Object.keys(only(data))).not.toEqual(expect.arrayContaining(['score']))
      expect(data[0]).not.toHaveProperty('notes')
    }
  })

  test('requires crm:leads:read and can make 60 calls per hour', async () => {
    const writer = (await makeApplication(server, organization, { scopes: ['crm:leads:write'] })).client
    expect(await refused({}, writer)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    const reader = (await makeApplication(server, organization, { scopes: ['crm:leads:read'] })).client
    for (let n = 0; n < limits.leadSyncsPerHour; n++) await ask({ limit: 1 }, reader)
    const answer = await reader.send(syncLeads, { query: {} })
    expect(refusalOf(answer)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a person requires CRM_VIEW', async () => {
    const stranger = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(await refused({}, stranger)).toEqual([403, 'PERMISSION_DENIED'])
  })
})
