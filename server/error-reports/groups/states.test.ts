import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readErrorStatistics, reportError } from '#contract/error-reports/errors.ts'
import {
  readErrorGroup,
  reopenErrorGroup,
  resolveErrorGroup,
  silenceErrorGroup,
} from '#contract/error-reports/tab.ts'
import { firstOf, only } from '#tests/support/elements.ts'
import {
  createReportedError,
  errorEventsOf,
  listErrorsOf,
  reportTestError,
  shiftIntoPast,
} from '#tests/support/error-reports/reports.ts'
import { insertMany } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const again = { message: 'It broke' }
async function opened(overrides = {}) {
  const organization = await server.organization()
  const { source, person, params } = await createReportedError(server, organization, overrides)
  const events = async () => (await errorEventsOf(server, organization.id)).slice(1)
  const state = async () => only(await listErrorsOf(source)).state
  return { organization, source, person, params, events, state }
}
type Opened = Awaited<ReturnType<typeof opened>>
const resolve = ({ person, params }: Opened, body = {}) => person.call(resolveErrorGroup, { params, body })
const silence = (
  { person, params }: Opened,
  body: { type: 'FOREVER' | 'DATE' | 'COUNT' | 'SPIKE'; until?: string; count?: number },
) => person.call(silenceErrorGroup, { params, body })

describe('resolve', () => {
  test('emits one event', async () => {
    const one = await opened({ severity: 'high' })
    const shown = await resolve(one)
    expect(shown).toMatchObject({
      state: 'RESOLVED',
      resolved: true,
      resolvedBy: { id: one.person.id, name: 'Ada Marsh' },
    })
    const [event] = await one.events()
    expect(event).toMatchObject({
      name: 'ERROR_RESOLVED',
      actor_id: one.person.id,
      data: {
        errorId: shown.id,
        hash: shown.hash,
        message: 'It broke',
        module: 'billing',
        severity: 'high',
        count: 1,
        state: 'RESOLVED',
        resolvedAt: shown.resolvedAt,
        ticketId: null,
        lastOccurrence: shown.lastOccurrence,
        resolvedBy: { id: one.person.id, displayName: 'Ada Marsh' },
      },
    })
    const repeated = await one.person.send(resolveErrorGroup, { params: one.params })
    expect([repeated.status, (repeated.body as unknown as { errorCode: string }).errorCode]).toEqual([
      409,
      'ERROR_ALREADY_RESOLVED',
    ])
    expect(await one.events()).toHaveLength(1)
    const [audit] = await server.sql(
      'select subject, changed from audit where organization_id = $1 and actor_id = $2',
      [one.organization.id, one.person.id],
    )
    expect(audit).toEqual({ subject: shown.id, changed: ['state'] })
  })

  test('one of two concurrent requests succeeds', async () => {
    const one = await opened()
    const answers = await Promise.all(
      [1, 2].map(() => one.person.send(resolveErrorGroup, { params: one.params })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('regression', () => {
  test('a resolved error that occurs again is unresolved, with the current severity', async () => {
    const one = await opened({ severity: 'critical' })
    await resolve(one)
    const answer = await reportTestError(one.source, { ...again, severity: 'medium' })
    expect(answer.deduplicated).toBe(true)
    const shown = await one.person.call(readErrorGroup, { params: one.params })
    expect(shown).toMatchObject({
      state: 'UNRESOLVED',
      resolved: false,
      resolvedAt: null,
      resolvedBy: null,
      regressionCount: 1,
      severity: 'medium',
      count: 2,
      history: [{ action: 'REGRESSED', by: null }, { action: 'RESOLVED' }, { action: 'REPORTED' }],
    })
    expect(shown.samples.map(({ kind }) => kind).sort()).toEqual(['FIRST', 'REGRESSION'])
    const [, event] = await one.events()
    expect(event).toMatchObject({
      name: 'ERROR_REOPENED',
      data: {
        reason: 'REGRESSION',
        previousState: 'RESOLVED',
        state: 'UNRESOLVED',
        severity: 'medium',
        count: 2,
      },
    })
    const statistics = await one.source.client.call(readErrorStatistics)
    expect(statistics).toMatchObject({
      total: 1,
      unresolved: 1,
      resolved: 0,
      bySeverity: { critical: 0, medium: 1 },
    })
  })

  test('not within the grace period, and only once for concurrent reports', async () => {
    const one = await opened()
    await resolve(one, { graceMinutes: 60 })
    await reportTestError(one.source, again)
    expect(await one.state()).toBe('RESOLVED')
    await shiftIntoPast(server, one.params.errorId, 2)
    await Promise.all(Array.from({ length: 15 }, () => reportTestError(one.source, again)))
    expect(await one.state()).toBe('UNRESOLVED')
    expect((await one.events()).map(({ name }) => name)).toEqual(['ERROR_RESOLVED', 'ERROR_REOPENED'])
    // the shift into the past adds one occurrence
    expect(only(await listErrorsOf(one.source)).count).toBe(18)
  })
})

describe('silence', () => {
  test('FOREVER only counts', async () => {
    const one = await opened()
    expect(await silence(one, { type: 'FOREVER' })).toMatchObject({
      state: 'SILENCED',
      resolved: false,
      silence: 'FOREVER',
    })
    await reportTestError(one.source, { ...again, occurrences: 100 })
    expect(await one.state()).toBe('SILENCED')
    const [event, ...more] = await one.events()
    expect(event).toMatchObject({
      name: 'ERROR_SILENCED',
      data: {
        state: 'SILENCED',
        silencedUntil: null,
        condition: { type: 'FOREVER', value: null },
        silencedBy: { displayName: 'Ada Marsh' },
      },
    })
    expect(more).toEqual([])
  })

  test('DATE ends with the first occurrence after the time, not at the time', async () => {
    const one = await opened()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await silence(one, { type: 'DATE', until })).silencedUntil).toBe(until)
    expect(firstOf(await one.events()).data.condition).toEqual({ type: 'DATE', value: until })
    await reportTestError(one.source, again)
    expect(await one.state()).toBe('SILENCED')
    await shiftIntoPast(server, one.params.errorId, 2)
    expect(await one.state()).toBe('SILENCED')
    await reportTestError(one.source, again)
    expect(await one.state()).toBe('UNRESOLVED')
    expect((await one.events()).at(-1)).toMatchObject({
      name: 'ERROR_REOPENED',
      data: { reason: 'SILENCE_ENDED', previousState: 'SILENCED' },
    })
    expect(firstOf((await one.person.call(readErrorGroup, { params: one.params })).history).action).toBe(
      'SILENCE_ENDED',
    )
  })

  test('DATE accepts a leap second', async () => {
    const shown = await silence(await opened(), { type: 'DATE', until: '2028-12-31T23:59:60Z' })
    expect(shown.silencedUntil).toBe('2029-01-01T00:00:00.000Z')
  })

  test('COUNT ends with the given number of occurrences', async () => {
    const one = await opened()
    expect((await silence(one, { type: 'COUNT', count: 3 })).silencedForCount).toBe(3)
    await reportTestError(one.source, { ...again, occurrences: 2 })
    expect(await one.state()).toBe('SILENCED')
    await reportTestError(one.source, again)
    expect(await one.state()).toBe('UNRESOLVED')
    expect(firstOf(await one.events()).data.condition).toEqual({ type: 'COUNT', value: '3' })
  })

  test.each([
    [{ type: 'DATE' }],
    [{ type: 'COUNT' }],
    [{ type: 'FOREVER', count: 1 }],
    [{ type: 'COUNT', count: 1, until: '2030-01-01T00:00:00Z' }],
    [{ type: 'COUNT', count: 0 }],
    [{ type: 'WEEK' }],
  ])('refuses %j', async body => {
    const one = await opened()
    const answer = await one.person.send(silenceErrorGroup, { params: one.params, body: body as never })
    expect(answer.status).toBe(400)
  })

  test('refuses resolved and silenced errors; resolving ends the silence', async () => {
    const one = await opened()
    await silence(one, { type: 'FOREVER' })
    const codeOf = async () => {
      const { status, body } = await one.person.send(silenceErrorGroup, {
        params: one.params,
        body: { type: 'FOREVER' },
      })
      return [status, (body as unknown as { errorCode: string }).errorCode]
    }
    expect(await codeOf()).toEqual([409, 'ERROR_ALREADY_SILENCED'])
    expect(await resolve(one)).toMatchObject({ state: 'RESOLVED', silence: null, silencedAt: null })
    expect(await codeOf()).toEqual([409, 'ERROR_ALREADY_RESOLVED'])
  })
})

test('reopening by a person', async () => {
  const one = await opened()
  const reopen = () => one.person.send(reopenErrorGroup, { params: one.params })
  const refused = await reopen()
  expect([refused.status, (refused.body as unknown as { errorCode: string }).errorCode]).toEqual([
    409,
    'ERROR_ALREADY_OPEN',
  ])
  await resolve(one)
  expect((await reopen()).body).toMatchObject({ state: 'UNRESOLVED', resolvedAt: null, regressionCount: 0 })
  expect((await one.events()).at(-1)).toMatchObject({
    name: 'ERROR_REOPENED',
    data: { reason: 'MANUAL', previousState: 'RESOLVED' },
  })
})

describe('spike', () => {
  test('emits one event for a spike and none in the next hour', async () => {
    const one = await opened()
    await shiftIntoPast(server, one.params.errorId, 48)
    await reportTestError(one.source, { ...again, occurrences: 19 })
    expect(await one.events()).toEqual([])
    await reportTestError(one.source, { ...again, occurrences: 11 })
    const [event] = await one.events()
    expect(event).toMatchObject({
      name: 'ERROR_SPIKE',
      data: { observed: 30, baselineMedian: 0, factor: 30, windowMinutes: 5, state: 'UNRESOLVED' },
    })
    await reportTestError(one.source, { ...again, occurrences: 500 })
    expect(await one.events()).toHaveLength(1)
  })

  test('no event for a usual rate or for a silenced error', async () => {
    const usual = await opened()
    await shiftIntoPast(server, usual.params.errorId, 48)
    const thisHour = Date.now() - (Date.now() % 3_600_000)
    await insertMany(server, 'error_hour', 24, n => ({
      organization_id: usual.organization.id,
      error_id: usual.params.errorId,
      hour: new Date(thisHour - n * 3_600_000),
      count: 120,
    }))
    await reportTestError(usual.source, { ...again, occurrences: 50 })
    expect(await usual.events()).toEqual([])
    const silent = await opened()
    await shiftIntoPast(server, silent.params.errorId, 48)
    await silence(silent, { type: 'FOREVER' })
    await reportTestError(silent.source, { ...again, occurrences: 50 })
    expect((await silent.events()).map(({ name }) => name)).toEqual(['ERROR_SILENCED'])
  })

  test('ends a SPIKE silence', async () => {
    const one = await opened()
    await shiftIntoPast(server, one.params.errorId, 48)
    await silence(one, { type: 'SPIKE' })
    await reportTestError(one.source, { ...again, occurrences: 10 })
    expect(await one.state()).toBe('SILENCED')
    await reportTestError(one.source, { ...again, occurrences: 15 })
    expect(await one.state()).toBe('UNRESOLVED')
    expect((await one.events()).map(({ name }) => name)).toEqual([
      'ERROR_SILENCED',
      'ERROR_REOPENED',
      'ERROR_SPIKE',
    ])
    const statistics = await one.source.client.call(readErrorStatistics)
    expect(statistics).toMatchObject({ unresolved: 1, silenced: 0 })
  })
})

test('concurrent reports and state changes leave all counts exact', async () => {
  const one = await opened()
  const { source, person, params } = one
  const reports = Array.from({ length: 60 }, () =>
    source.client.call(reportError, { body: { message: 'It broke', module: 'billing' } }),
  )
  const decisions = Array.from({ length: 6 }, (_, n) =>
    person.send(n % 2 === 0 ? resolveErrorGroup : reopenErrorGroup, { params }),
  )
  await Promise.all([...reports, ...decisions])
  expect(only(await listErrorsOf(source)).count).toBe(61)
  const wrong = await server.sql(
    `select module, severity, state, count from error_group_count where application_id = $1 and count <> 0
     except select module, severity, state, count(*)::int from error_group where application_id = $1 group by 1, 2, 3`,
    [source.id],
  )
  expect(wrong).toEqual([])
})

test('access: other organizations, other rights', async () => {
  const one = await opened()
  const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
  const plain = await one.organization.person()
  for (const [operation, body] of [
    [resolveErrorGroup, {}],
    [reopenErrorGroup, undefined],
    [silenceErrorGroup, { type: 'FOREVER' }],
  ] as const) {
    const send = (who: typeof plain, params = one.params) =>
      who.send(operation as typeof resolveErrorGroup, { params, ...(body && { body: body as never }) })
    expect((await send(plain)).status).toBe(403)
    const unknown = { id: 'cmhz3k8q1x7v2b5n9m4d6f8gh', errorId: 'cmhz3k8q1x7v2b5n9m4d6f8gh' }
    const [foreign, none] = [await send(elsewhere), await send(elsewhere, unknown)]
    expect([foreign.status, foreign.text]).toEqual([404, none.text])
    const missing = await send(one.person, { ...one.params, errorId: unknown.errorId })
    expect([missing.status, (missing.body as unknown as { errorCode: string }).errorCode]).toEqual([
      404,
      'ERROR_NOT_FOUND',
    ])
  }
  expect(await one.state()).toBe('UNRESOLVED')
})
