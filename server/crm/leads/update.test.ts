import { afterAll, beforeAll, expect, test } from 'vitest'
import { scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead, readLead, updateLead } from '#contract/crm/leads.ts'
import type { Input } from '#contract/operation.ts'
import type { Client } from '#sdk/client.ts'
import { eventsOfLead, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { firstOf, only } from '#tests/support/elements.ts'
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
let person: Person
let plain: Client
let full: Client
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person({ role: 'ADMIN' })
  const scopes = ['crm:leads:read', 'crm:leads:write'] as const
  plain = (await makeApplication(server, organization, { scopes })).client
  full = (
    await makeApplication(server, organization, {
      scopes: [...scopes, 'crm:leads:read:scoring', 'crm:leads:read:notes'],
    })
  ).client
})
afterAll(() => server?.close())

type Body = Input<typeof updateLead>['body']
const change = (by: Client, id: string, body: Body) => by.send(updateLead, { params: { id }, body })
const all = { include: ['scoring', 'notes'] } as const

test('every field can be changed, and cleared with null', async () => {
  const { id } = await makeLead(full)
  const input: Body = {
    email: 'Ada@Example.com',
    phone: '600 123 456',
    firstName: 'Ada',
    lastName: 'Lovelace',
    company: 'Engines',
    source: 'fair',
    stage: 'Demo',
    assigneeId: person.id,
    notes: 'Likes numbers',
    score: 80,
    temperature: 'HOT',
  }
  const { lead, ...rest } = await full.call(updateLead, {
    params: { id },
    query: { include: [...all.include] },
    body: input,
  })
  expect(lead).toMatchObject(input)
  expect(rest).toEqual({ changed: true, recordedAt: lead.updatedAt, ignoredFields: [] })
  expect(await full.call(readLead, { params: { id }, query: { include: [...all.include] } })).toEqual(lead)
  const events = (await eventsOfLead(server, id)).slice(1)
  expect(events.map(({ name }) => name)).toEqual(['LEAD_UPDATED', 'LEAD_SCORE_UPDATED'])
  expect(firstOf(events).data.changes).toEqual([
    { field: 'email', redacted: true },
    { field: 'stage', from: null, to: 'Demo' },
    { field: 'score', from: null, to: 80 },
    { field: 'assigneeId', from: null, to: person.id },
  ])
  const { email: _, ...others } = input
  const nothing = Object.fromEntries(Object.keys(others).map(name => [name, null])) as Body
  await change(full, id, nothing)
  expect(await full.call(readLead, { params: { id }, query: { include: [...all.include] } })).toMatchObject(
    nothing,
  )
})

test('values of names and notes appear in no event', async () => {
  const lead = await makeLead(full, { firstName: 'Ada' })
  await change(full, lead.id, { firstName: 'Augusta', phone: '+34600123456', notes: 'Secret' })
  expect(await eventsOfLead(server, lead.id)).toHaveLength(1)
  const row = only(
    await server.sql<{ notes: string; phone_e164: string }>('select * from lead where id = $1', [lead.id]),
  )
  expect(row.notes).not.toContain('Secret')
  expect(row.phone_e164).toBe('+34600123456')
})

test('equal values change nothing', async () => {
  const input = { firstName: 'Ada', notes: 'As before', score: 5 }
  const { id } = await makeLead(full, input)
  const before = await full.call(readLead, { params: { id } })
  const answer = await change(full, id, input)
  expect(answer.body).toMatchObject({ lead: before, changed: false, recordedAt: before.updatedAt })
  expect(await full.call(scoreLead, { params: { id }, body: { score: 5 } })).toMatchObject({ changed: false })
  expect(await eventsOfLead(server, id)).toHaveLength(1)
  expect(await server.sql('select 1 from lead_change where lead_id = $1', [id])).toHaveLength(1)
})

test('an e-mail or a telephone number must remain', async () => {
  const { id } = await makeLead(full, { phone: '600123456' })
  expect(refusalOf(await change(full, id, { email: null, phone: null }))).toEqual([400, 'VALIDATION_ERROR'])
  expect((await change(full, id, { email: null })).status).toBe(200)
  expect(refusalOf(await change(full, id, { phone: null }))).toEqual([400, 'VALIDATION_ERROR'])
  expect((await change(full, id, { email: 'a@example.test', phone: null })).status).toBe(200)
})

test('refuses an empty body and fields that cannot be updated', async () => {
  const { id, updatedAt } = await makeLead(full)
  for (const body of [{}, { expectedUpdatedAt: updatedAt }])
    expect(refusalOf(await change(full, id, body))).toEqual([422, 'VALIDATION_ERROR'])
  expect(refusalOf(await full.send(updateLead, { params: { id } }))).toEqual([422, 'VALIDATION_ERROR'])
  for (const body of [{ status: 'WON' }, { isConverted: true }, { id }, { updatedAt }])
    expect(refusalOf(await change(full, id, body as Body))).toEqual([400, 'VALIDATION_ERROR'])
  expect(refusalOf(await full.send(scoreLead, { params: { id }, body: {} }))).toEqual([
    422,
    'VALIDATION_ERROR',
  ])
})

test('an assignee must be a member', async () => {
  const { id } = await makeLead(full)
  const stranger = await (await server.organization()).person()
  for (const assigneeId of [stranger.id, 'cnobody']) {
    const answer = await change(full, id, { assigneeId })
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR'])
    expect(answer.body).toMatchObject({ details: [{ path: 'assigneeId' }] })
  }
})

test('notes and score require their permission', async () => {
  const { id } = await makeLead(full, { notes: 'Kept', score: 1 })
  const answer = await change(plain, id, {
    stage: 'Call',
    notes: 'Overwritten',
    score: 99,
    temperature: 'HOT',
  })
  expect(answer.body).toMatchObject({ changed: true, ignoredFields: ['notes', 'score', 'temperature'] })
  expect(await full.call(readLead, { params: { id }, query: { include: [...all.include] } })).toMatchObject({
    stage: 'Call',
    notes: 'Kept',
    score: 1,
    temperature: null,
  })
  for (const to of [id, 'cunknown'])
    expect(refusalOf(await change(plain, to, { notes: 'x', score: 2 }))).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const member = await organization.person()
  expect(refusalOf(await change(member, id, { notes: 'x' }))).toEqual([403, 'PERMISSION_DENIED'])
  expect((await change(member, id, { score: 3 })).body).toMatchObject({ changed: true, ignoredFields: [] })
})

test('score checks its scope first', async () => {
  const { id } = await makeLead(full)
  const answer = await plain.send(scoreLead, { params: { id }, body: { score: 1_000, unknown: 1 } as never })
  expect(refusalOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const { lead, changed } = await full.call(scoreLead, {
    params: { id },
    body: { score: 70, temperature: 'HOT', reason: 'Asked for a price' },
  })
  expect({ ...lead, changed }).toMatchObject({ score: 70, temperature: 'HOT', changed: true })
  const cleared = await full.call(scoreLead, { params: { id }, body: { score: null } })
  expect(cleared.lead).toMatchObject({ score: null, temperature: 'HOT' })
  for (const body of [{ score: 101 }, { score: -1 }, { score: 1.5 }, { score: '7' }, { temperature: 'MILD' }])
    expect(refusalOf(await full.send(scoreLead, { params: { id }, body: body as never }))[0]).toBe(400)
})

test('a stale expectedUpdatedAt is refused with the current updatedAt', async () => {
  const read = await makeLead(full)
  const { lead } = (await change(person, read.id, { stage: 'Call' })).body
  const answer = await change(full, read.id, { stage: 'Demo', expectedUpdatedAt: read.updatedAt })
  expect(refusalOf(answer)).toEqual([409, 'LEAD_UPDATE_CONFLICT'])
  expect(answer.body).toMatchObject({ updatedAt: lead.updatedAt })
  const scored = await full.send(scoreLead, {
    params: { id: read.id },
    body: { score: 1, expectedUpdatedAt: read.updatedAt },
  })
  expect(refusalOf(scored)).toEqual([409, 'LEAD_UPDATE_CONFLICT'])
  const again = await change(full, read.id, { stage: 'Demo', expectedUpdatedAt: lead.updatedAt })
  expect(again.body).toMatchObject({ changed: true })
})

test('of a hundred with one expectedUpdatedAt exactly one succeeds', async () => {
  const { id, updatedAt } = await makeLead(full)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      change(full, id, { stage: `${at}`, expectedUpdatedAt: updatedAt }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(99)
  expect(await eventsOfLead(server, id)).toHaveLength(2)
})

test('a lead of another organization does not exist', async () => {
  const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
  const { id } = await makeLead(elsewhere)
  for (const by of [full, person]) {
    const [foreign, unknown] = [
      await change(by, id, { stage: 'x' }),
      await change(by, 'cunknown', { stage: 'x' }),
    ]
    expect(refusalOf(foreign)).toEqual([404, 'LEAD_NOT_FOUND'])
    expect(foreign.text).toBe(unknown.text)
    expect((await by.send(readLead, { params: { id } })).text).toBe(unknown.text)
  }
})

test('requested parts are included if the caller may read them; a header names the others', async () => {
  const { id } = await makeLead(full, { notes: 'Private', score: 9 })
  const read = (by: Client, include: ('scoring' | 'notes')[]) =>
    by.send(readLead, { params: { id }, query: { include } })
  const bare = await read(full, [])
  expect(bare.body).not.toHaveProperty('notes')
  expect(bare.body).not.toHaveProperty('score')
  expect((await read(full, ['notes'])).body).toMatchObject({ notes: 'Private' })
  const omitted = await read(plain, ['scoring', 'notes'])
  expect([omitted.status, omitted.headers.get('x-service-omitted')]).toEqual([200, 'scoring, notes'])
  expect(omitted.text).toBe(bare.text)
  const member = await read(await organization.person(), ['scoring', 'notes'])
  expect(member.headers.get('x-service-omitted')).toBe('notes')
  expect(member.body).toMatchObject({ score: 9, temperature: null })
  expect((await read(full, ['salary' as never])).status).toBe(400)
})

test('creating requires an e-mail or a telephone number and lists duplicates', async () => {
  expect(refusalOf(await full.send(createLead, { body: { firstName: 'Ada' } }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ])
  const first = await makeLead(full, { email: 'Twice@example.test', phone: '+34 611 222 333' })
  const { duplicates } = await full.call(createLead, {
    body: { email: 'x@example.test', phone: '611222333' },
  })
  expect(duplicates).toEqual([{ id: first.id, matchedOn: 'phone' }])
  const both = await full.call(createLead, { body: { email: 'twice@EXAMPLE.test', phone: '611222333' } })
  expect(both.duplicates[0]).toEqual({ id: first.id, matchedOn: 'email' })
  expect(both.duplicates).toHaveLength(2)
})
