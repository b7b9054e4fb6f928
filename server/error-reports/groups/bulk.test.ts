import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changeErrorGroups,
  listOrganizationErrors,
  readErrorGroup,
  readErrorTab,
} from '#contract/error-reports/tab.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, only } from '#tests/support/elements.ts'
import {
  createReporter,
  errorEventsOf,
  insertErrors,
  reportTestError,
} from '#tests/support/error-reports/reports.ts'
import { secondsAgo } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** An organization with two applications of two errors each, latest first: b2, b1, a2, a1. */
async function opened() {
  const organization = await server.organization()
  const person = await organization.person({
    permissions: ['ERROR_REPORTS_MANAGE', 'INTEGRATIONS_MANAGE'],
    name: 'Ada Marsh',
  })
  const a = await createReporter(server, organization)
  const b = await createReporter(server, organization)
  for (const [source, messages] of [
    [a, ['first of a', 'second of a']],
    [b, ['first of b', 'second of b']],
  ] as const)
    for (const message of messages) await reportTestError(source, { message, module: message.slice(-1) })
  const change = (body: object, who: Person = person) => who.send(changeErrorGroups, { body: body as never })
  const errors = async () => (await person.call(listOrganizationErrors, {})).items
  const states = async () => (await errors()).map(({ state }) => state)
  return { organization, person, a, b, change, errors, states, ids: (await errors()).map(({ id }) => id) }
}

describe('by ids', () => {
  test('resolves, silences and reopens errors of several applications, each with its event', async () => {
    const { organization, person, change, states, ids, errors } = await opened()
    const [b2, b1, a2, a1] = ids as [string, string, string, string]
    expect(await change({ action: 'RESOLVE', ids: [a1, b2], graceMinutes: 5 })).toMatchObject({
      status: 200,
      body: {
        items: [
          { id: a1, changed: true, errorCode: null },
          { id: b2, changed: true, errorCode: null },
        ],
        matched: 2,
        changed: 2,
      },
    })
    expect(await states()).toEqual(['RESOLVED', 'UNRESOLVED', 'UNRESOLVED', 'RESOLVED'])
    const first = firstOf(await errors())
    expect(first).toMatchObject({ resolvedBy: { id: person.id, name: 'Ada Marsh' } })
    const until = '2099-01-01T00:00:00.000Z'
    await change({ action: 'SILENCE', ids: [b1], silence: { type: 'DATE', until } })
    expect((await errors())[1]).toMatchObject({ state: 'SILENCED', silencedUntil: until })
    await change({ action: 'REOPEN', ids: [b1, b2] })
    expect(await states()).toEqual(['UNRESOLVED', 'UNRESOLVED', 'UNRESOLVED', 'RESOLVED'])
    const events = await errorEventsOf(server, organization.id)
    expect(
      events
        .filter(({ name }) => name !== 'ERROR_REPORTED')
        .map(({ name, actor_id, data }) => [name, actor_id, data.errorId])
        .sort(),
    ).toEqual(
      [
        ['ERROR_RESOLVED', person.id, a1],
        ['ERROR_RESOLVED', person.id, b2],
        ['ERROR_SILENCED', person.id, b1],
        ['ERROR_REOPENED', person.id, b1],
        ['ERROR_REOPENED', person.id, b2],
      ].sort(),
    )
    const { history } = await person.call(readErrorGroup, {
      params: { id: first.applicationId, errorId: b2 },
    })
    expect(history.map(({ action }) => action)).toEqual(['REOPENED', 'RESOLVED', 'REPORTED'])
    await server.relayed()
    const audit = await server.sql(
      `select changed, detail from audit where organization_id = $1 and operation = 'POST /api/integrations/errors/bulk' order by seq limit 1`,
      [organization.id],
    )
    expect(audit).toMatchObject([
      { changed: ['state'], detail: { errors: expect.arrayContaining([a1, b2]) } },
    ])
    expect(a2).toBeDefined()
  })

  test('reports the errors that cannot change and changes the others', async () => {
    const { change, states, ids, b, person } = await opened()
    const [b2, b1, , a1] = ids as [string, string, string, string]
    await change({ action: 'RESOLVE', ids: [b2] })
    await change({ action: 'SILENCE', ids: [b1], silence: { type: 'FOREVER' } })
    const unknown = newId()
    const stranger = await opened()
    const result = await change({
      action: 'SILENCE',
      ids: [b2, unknown, a1, stranger.ids[0], b1],
      silence: { type: 'FOREVER' },
    })
    expect(result.body).toEqual({
      items: [
        { id: b2, changed: false, errorCode: 'ERROR_ALREADY_RESOLVED' },
        { id: unknown, changed: false, errorCode: 'ERROR_NOT_FOUND' },
        { id: a1, changed: true, errorCode: null },
        { id: stranger.ids[0], changed: false, errorCode: 'ERROR_NOT_FOUND' },
        { id: b1, changed: false, errorCode: 'ERROR_ALREADY_SILENCED' },
      ],
      matched: 5,
      changed: 1,
    })
    expect(await states()).toEqual(['RESOLVED', 'SILENCED', 'UNRESOLVED', 'SILENCED'])
    expect(await stranger.states()).toEqual(Array(4).fill('UNRESOLVED'))
    await person.send(removeApplication, { params: { id: b.id } })
    expect(only((await change({ action: 'REOPEN', ids: [b2] })).body.items).errorCode).toBe('ERROR_NOT_FOUND')
  })

  test('keeps the counts exact while errors are reported', async () => {
    const { change, ids, a, b, organization, person } = await opened()
    await Promise.all([
      ...Array.from({ length: 12 }, (_, n) =>
        reportTestError(n % 2 ? a : b, {
          message: n % 2 ? 'first of a' : 'first of b',
          module: n % 2 ? 'a' : 'b',
        }),
      ),
      ...Array.from({ length: 4 }, (_, n) =>
        change({ action: n % 2 ? 'REOPEN' : 'RESOLVE', ids: n % 2 ? ids.toReversed() : ids }),
      ),
    ])
    expect(
      await server.sql(
        `select module, severity, state, count from error_group_count where organization_id = $1 and count <> 0
         except select module, severity, state, count(*)::int from error_group where organization_id = $1 group by 1, 2, 3`,
        [organization.id],
      ),
    ).toEqual([])
    expect((await person.call(readErrorTab, { params: { id: a.id } })).statistics.total).toBe(2)
  })
})

describe('by a filter', () => {
  test('changes all that it finds in a state that can change, and counts first', async () => {
    const { change, states, ids, a, b } = await opened()
    await change({ action: 'RESOLVE', ids: [ids[3]] })
    const filter = { applicationId: a.id }
    expect((await change({ action: 'RESOLVE', filter, dryRun: true })).body).toEqual({
      items: [],
      matched: 1,
      changed: 0,
    })
    expect((await change({ action: 'RESOLVE', filter: {}, dryRun: true })).body.matched).toBe(3)
    expect((await change({ action: 'RESOLVE', filter })).body).toEqual({
      items: [{ id: ids[2], changed: true, errorCode: null }],
      matched: 1,
      changed: 1,
    })
    expect(await states()).toEqual(['UNRESOLVED', 'UNRESOLVED', 'RESOLVED', 'RESOLVED'])
    const found = await change({
      action: 'SILENCE',
      filter: { search: 'SECOND', module: 'b' },
      silence: { type: 'COUNT', count: 3 },
    })
    expect(found.body).toMatchObject({ matched: 1, changed: 1, items: [{ id: ids[0] }] })
    expect((await change({ action: 'REOPEN', filter: { state: 'RESOLVED' } })).body).toMatchObject({
      matched: 2,
      changed: 2,
    })
    // of a state that cannot change
    expect((await change({ action: 'REOPEN', filter: { state: 'UNRESOLVED' } })).body).toEqual({
      items: [],
      matched: 0,
      changed: 0,
    })
    expect(await states()).toEqual(['SILENCED', 'UNRESOLVED', 'UNRESOLVED', 'UNRESOLVED'])
    expect((await change({ action: 'RESOLVE', filter: { applicationId: newId() } })).body).toMatchObject({
      errorCode: 'APPLICATION_NOT_FOUND',
    })
    expect(b.id).toBeDefined()
  })

  test('changes 500 in one call, the latest first', async () => {
    const { change, organization, a } = await opened()
    await insertErrors(server, a, 502, n => ({
      at: secondsAgo(n * 60),
      id: `cbulk${n}`,
    }))
    const filter = { module: 'many' }
    const first = (await change({ action: 'RESOLVE', filter })).body
    expect([first.matched, first.changed, firstOf(first.items).id]).toEqual([502, 500, 'cbulk1'])
    expect((await change({ action: 'RESOLVE', filter })).body).toMatchObject({
      matched: 2,
      changed: 2,
      items: [{ id: 'cbulk501' }, { id: 'cbulk502' }],
    })
    expect(
      await server.sql(
        `select state, count from error_group_count where organization_id = $1 and module = 'many' and count > 0`,
        [organization.id],
      ),
    ).toEqual([{ state: 'RESOLVED', count: 502 }])
  })
})

test('refuses an unclear request and people without the permission', async () => {
  const { change, ids, organization, states } = await opened()
  for (const body of [
    { action: 'RESOLVE' },
    { action: 'RESOLVE', ids, filter: {} },
    { action: 'RESOLVE', ids: [] },
    { action: 'RESOLVE', ids: [ids[0], ids[0]] },
    { action: 'RESOLVE', ids: Array.from({ length: 101 }, () => newId()) },
    { action: 'DELETE', ids },
    { action: 'SILENCE', ids },
    { action: 'SILENCE', ids, silence: { type: 'DATE' } },
    { action: 'RESOLVE', ids, silence: { type: 'FOREVER' } },
    { action: 'REOPEN', ids, graceMinutes: 5 },
    { action: 'RESOLVE', filter: { ids } },
    { action: 'RESOLVE', filter: { from: '2026-02-31' } },
  ])
    expect(await change(body)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  const plain = await organization.person()
  expect((await change({ action: 'RESOLVE', ids }, plain)).status).toBe(403)
  expect(await states()).toEqual(Array(4).fill('UNRESOLVED'))
})
