import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listErrors, readErrorStatistics } from '#contract/error-reports/errors.ts'
import {
  listErrorGroups,
  readErrorGroup,
  readErrorTab,
  resolveErrorGroup,
  silenceErrorGroup,
  updateErrorSettings,
} from '#contract/error-reports/tab.ts'
import { atLeast, firstOf } from '#tests/support/elements.ts'
import {
  createReportedError,
  createReporter,
  listErrorsOf,
  reportTestError,
} from '#tests/support/error-reports/reports.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let source: TestApplication
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  source = await createReporter(server, organization)
  person = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE'] })
  await reportTestError(source, { message: 'low one', occurrences: 3 })
  await reportTestError(source, { message: 'high one', severity: 'high', module: 'crm', occurrences: 9 })
  await reportTestError(source, { message: 'silent one', severity: 'critical' })
  await reportTestError(source, {
    message: 'resolved one',
    severity: 'medium',
    module: 'crm',
    occurrences: 50,
  })
  const [resolved, silent] = atLeast(2, await listErrorsOf(source))
  await person.call(resolveErrorGroup, { params: { id: source.id, errorId: resolved.id } })
  const params = { id: source.id, errorId: silent.id }
  await person.call(silenceErrorGroup, { params, body: { type: 'FOREVER' } })
})
afterAll(() => server?.close())

const messages = async (query: object) => {
  const { errors, pagination } = await source.client.call(listErrors, { query: query as never })
  expect(pagination.total).toBeGreaterThanOrEqual(errors.length)
  return errors.map(({ message }) => message)
}
const today = new Date().toISOString().slice(0, 10)

describe('GET /errors', () => {
  test.each([
    ['all errors, latest first', {}, ['resolved one', 'silent one', 'high one', 'low one']],
    ['one severity', { severity: 'high' }, ['high one']],
    ['several severities', { severity: ['high', 'low'] }, ['high one', 'low one']],
    ['a module', { module: 'crm' }, ['resolved one', 'high one']],
    ['resolved errors', { resolved: true }, ['resolved one']],
    ['unresolved and silenced errors', { resolved: false }, ['silent one', 'high one', 'low one']],
    ['a state', { state: 'SILENCED' }, ['silent one']],
    ['filters that exclude each other', { state: 'SILENCED', resolved: true }, []],
    ['a whole day', { from: today, to: today }, ['resolved one', 'silent one', 'high one', 'low one']],
    ['the past', { to: '2020-01-01' }, []],
    ['the future', { from: '2099-01-01T00:00:00+02:00' }, []],
    ['a page', { limit: 2, offset: 1 }, ['silent one', 'high one']],
  ])('%s', async (_what, query, expected) => {
    expect(await messages(query)).toEqual(expected)
  })

  test('returns the total, with and without filters', async () => {
    const total = async (query: object) =>
      (await source.client.call(listErrors, { query: { limit: 1, ...query } })).pagination
    expect(await total({})).toEqual({ total: 4, limit: 1, offset: 0 })
    expect((await total({ module: 'crm' })).total).toBe(2)
    expect((await total({ from: today, severity: ['low'] })).total).toBe(1)
    expect((await source.client.call(listErrors)).pagination.limit).toBe(50)
  })

  test.each([
    { severity: 'fatal' },
    { limit: 0 },
    { limit: 201 },
    { offset: -1 },
    { resolved: 'maybe' },
    { from: 'yesterday' },
    { to: '2026-02-31' },
    { from: '2026-13-01T00:00:00Z' },
  ])('refuses %j', async query => {
    expect((await source.client.send(listErrors, { query: query as never })).status).toBe(400)
  })
})

test('errors are sorted by their last occurrence, within a minute and across minutes', async () => {
  const own = await createReporter(server, organization)
  const times = ['10:00:00.000', '10:00:59.998', '10:00:59.999', '10:01:00.000', '10:02:30.500']
  for (const letter of 'abcde') await reportTestError(own, { message: `broken ${letter}` })
  for (const [at, error] of (await listErrorsOf(own)).entries())
    await server.sql('update error_group set last_occurrence = $2 where id = $1', [
      error.id,
      `2026-03-01T${times[(at * 3) % 5]}Z`,
    ])
  const timesOf = async (query: object) =>
    (await own.client.call(listErrors, { query: query as never })).errors.map(one => one.lastOccurrence)
  const [first, second, third, fourth, last] = times.map(time => `2026-03-01T${time}Z`)
  expect(await timesOf({})).toEqual([last, fourth, third, second, first])
  expect(await timesOf({ limit: 2, offset: 1 })).toEqual([fourth, third])
  expect(await timesOf({ from: second, to: third })).toEqual([third, second])
  expect(await timesOf({ from: '2026-03-01T10:00:00.001Z', to: fourth })).toEqual([fourth, third, second])
  expect(await timesOf({ from: last, to: '2026-03-01' })).toEqual([last])
})

test('no index contains a column that each report changes, so that reports do not update indexes', async () => {
  const indexed = await server.sql(
    `select a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = 'error_group'::regclass`,
  )
  const changed = [
    'count',
    'last_occurrence',
    'severity',
    'users_affected',
    'hour_count',
    'window_count',
    'samples',
  ]
  expect(indexed.filter(({ column }) => changed.includes(column as string))).toEqual([])
  expect(indexed).toContainEqual({ column: 'last_minute' })
})

test('GET /errors/stats counts errors; the top errors are unresolved', async () => {
  const statistics = await source.client.call(readErrorStatistics)
  expect(statistics).toEqual({
    total: 4,
    unresolved: 2,
    resolved: 1,
    silenced: 1,
    bySeverity: { critical: 1, high: 1, medium: 1, low: 1 },
    byModule: { billing: 2, crm: 2 },
    topErrors: [
      { hash: expect.any(String), message: 'high one', count: 9, severity: 'high' },
      { hash: expect.any(String), message: 'low one', count: 3, severity: 'low' },
    ],
  })
  const [counted] = await server.sql(
    `select count(*)::int as n from (
       select module, severity, state, count(*)::int as n from error_group where application_id = $1 group by 1, 2, 3
       except select module, severity, state, count from error_group_count where application_id = $1) x`,
    [source.id],
  )
  expect(counted).toEqual({ n: 0 })
  const empty = await createReporter(server, organization)
  expect(await empty.client.call(readErrorStatistics)).toMatchObject({
    total: 0,
    byModule: {},
    topErrors: [],
  })
})

test('the top errors are the ten most frequent ones', async () => {
  const busy = await createReporter(server, organization)
  for (let n = 1; n <= 12; n++)
    await reportTestError(busy, { message: `broken ${'abcdefghijklm'[n]}`, occurrences: n })
  const { topErrors } = await busy.client.call(readErrorStatistics)
  expect(topErrors.map(({ count }) => count)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})

describe('the errors tab', () => {
  test('lists the same errors with all fields', async () => {
    const page = await person.call(listErrorGroups, {
      params: { id: source.id },
      query: { state: 'RESOLVED' },
    })
    expect(page).toMatchObject({
      total: 1,
      limit: 20,
      offset: 0,
      items: [
        {
          applicationId: source.id,
          resolvedBy: { id: person.id, name: person.name },
          fingerprintVersion: 'e1',
        },
      ],
    })
  })

  test('shows statistics, hours and settings', async () => {
    const params = { id: source.id }
    const tab = await person.call(readErrorTab, { params })
    expect(tab.statistics.total).toBe(4)
    expect(tab.hours.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(4)
    expect(tab.settings).toEqual({ ticketOnRegression: 'REOPEN', resolveWithTicket: false })
    const settings = await person.call(updateErrorSettings, { params, body: { resolveWithTicket: true } })
    expect(settings).toEqual({ ticketOnRegression: 'REOPEN', resolveWithTicket: true })
    expect((await person.call(readErrorTab, { params })).settings).toEqual(settings)
  })

  test('shows an error with samples, hours and history', async () => {
    const {
      source: own,
      person: reader,
      params,
    } = await createReportedError(server, organization, {
      stack: 'Error: x\n    at a (/app/a.ts:1:1)',
      file: 'a.ts',
      context: { plan: 'TEAM', password: 'x' },
      userId: 'u1',
      requestId: 'r1',
      method: 'PUT',
    })
    for (let n = 0; n < 60; n++) await reportTestError(own, { file: 'a.ts', requestId: `r${n}` })
    const error = await reader.call(readErrorGroup, { params })
    expect(error).toMatchObject({ count: 61, usersAffected: 1, ticket: null, hours: [{ count: 61 }] })
    expect(error.history).toMatchObject([{ action: 'REPORTED', by: null }])
    const first = error.samples.find(({ kind }) => kind === 'FIRST')
    expect(first).toMatchObject({
      stack: expect.stringContaining('a.ts'),
      userId: 'u1',
      requestId: 'r1',
      method: 'PUT',
      context: { plan: 'TEAM', password: '[filtered]' },
    })
    expect(error.samples.length).toBeLessThanOrEqual(21)
  })

  test('refuses a date that does not exist, also for an unknown application', async () => {
    for (const id of [source.id, 'cmhz3k8q1x7v2b5n9m4d6f8gh']) {
      const answer = await person.send(listErrorGroups, { params: { id }, query: { to: '2026-02-31' } })
      expect(answer.status).toBe(400)
    }
  })

  test('requires the permission to manage errors of the organization', async () => {
    const params = { id: source.id }
    const plain = await organization.person()
    expect((await plain.send(listErrorGroups, { params })).status).toBe(403)
    const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
    const [foreign, unknown] = [
      await elsewhere.send(listErrorGroups, { params }),
      await elsewhere.send(listErrorGroups, { params: { id: 'cmhz3k8q1x7v2b5n9m4d6f8gh' } }),
    ]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    const another = await createReporter(server, organization)
    const error = firstOf(await listErrorsOf(source))
    const wrong = await person.send(readErrorGroup, { params: { id: another.id, errorId: error.id } })
    expect([wrong.status, (wrong.body as unknown as { errorCode: string }).errorCode]).toEqual([
      404,
      'ERROR_NOT_FOUND',
    ])
  })
})
