import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readErrorStatistics, reportError } from '#contract/error-reports/errors.ts'
import { limits } from '#contract/limits.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import {
  createReporter,
  errorEventsOf,
  listErrorsOf,
  reportTestError,
} from '#tests/support/error-reports/reports.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server?.close())

const body = { message: 'It broke', module: 'billing' }

test('the first report creates an error; the next ones increase its counter', async () => {
  const source = await createReporter(server, organization)
  const first = await reportTestError(source, {
    message: ' User 42 not found ',
    severity: 'high',
    file: '/app/src/users.ts',
    line: 10,
    function: 'find',
    endpoint: '/users/:id',
    method: 'GET',
    userId: 'u1',
    requestId: 'r1',
    stack: 'Error: User 42 not found\n    at find (/app/src/users.ts:10:3)',
    context: { plan: 'TEAM' },
  })
  expect(first).toEqual({ success: true, hash: expect.stringMatching(/^[0-9a-f]{32}$/), deduplicated: false })
  const second = await reportTestError(source, {
    message: 'User 43 not found',
    file: '/app/src/users.ts',
    line: 11,
    function: 'find',
    occurrences: 5,
  })
  expect(second).toEqual({ ...first, deduplicated: true })
  const errors = await listErrorsOf(source)
  expect(errors).toEqual([
    {
      id: expect.any(String),
      hash: first.hash,
      message: 'User 43 not found',
      module: 'billing',
      severity: 'high',
      file: '/app/src/users.ts',
      line: 11,
      endpoint: null,
      count: 6,
      resolved: false,
      resolvedAt: null,
      firstOccurrence: expect.any(String),
      lastOccurrence: expect.any(String),
      state: 'UNRESOLVED',
    },
  ])
  expect(only(errors).lastOccurrence >= only(errors).firstOccurrence).toBe(true)
  expect(Math.abs(Date.parse(only(errors).lastOccurrence) - Date.now())).toBeLessThan(60_000)
})

test('concurrent reports at several processes are counted exactly and create the error once', async () => {
  const home = await server.organization()
  const source = await createReporter(server, home)
  const other = await server.anotherApi()
  const clients = [source.client, source.at(other.url)]
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      itemAt(clients, n % 2).call(reportError, {
        body: { ...body, module: `m${n % 4}`, userId: `u${n % 10}` },
      }),
    ),
  )
  expect(answers.filter(({ deduplicated }) => !deduplicated)).toHaveLength(4)
  const errors = await listErrorsOf(source)
  expect(errors.map(({ count }) => count)).toEqual([100, 100, 100, 100])
  const events = await errorEventsOf(server, home.id)
  expect(events.map(({ name }) => name)).toEqual(Array(4).fill('ERROR_REPORTED'))
  const [hours] = await server.sql(
    `select (select coalesce(sum(count), 0) from error_hour where organization_id = $1)::int + sum(hour_count)::int as n
     from error_group where organization_id = $1`,
    [home.id],
  )
  expect(hours).toEqual({ n: 400 })
  const [intake] = await server.sql(
    'select accepted::int, new_errors from error_intake where organization_id = $1',
    [home.id],
  )
  expect(intake).toEqual({ accepted: 400, new_errors: 4 })
  const users = await server.sql('select users_affected from error_group where organization_id = $1', [
    home.id,
  ])
  expect(users.map(row => row.users_affected)).toEqual([5, 5, 5, 5])
})

test('ERROR_REPORTED describes the error without stack, context or user', async () => {
  const home = await server.organization()
  const source = await createReporter(server, home)
  const { hash } = await reportTestError(source, {
    message: `Broken ${'x'.repeat(900)}`,
    severity: 'critical',
    file: 'a.ts',
    line: 3,
    function: 'f',
    endpoint: '/a',
    userId: 'hidden-user',
    stack: 'hidden-stack',
    context: { hidden: 'context' },
  })
  const events = only(await errorEventsOf(server, home.id))
  expect(events.actor_id).toBe(source.id)
  expect(events.data).toEqual({
    errorId: expect.any(String),
    hash,
    message: `Broken ${'x'.repeat(493)}`,
    module: 'billing',
    severity: 'critical',
    file: 'a.ts',
    line: 3,
    function: 'f',
    endpoint: '/a',
    count: 1,
    state: 'UNRESOLVED',
    firstOccurrence: expect.any(String),
  })
  expect(JSON.stringify(events)).not.toContain('hidden')
})

describe('classification', () => {
  test('expected business errors are accepted and counted, but not recorded', async () => {
    const source = await createReporter(server, organization)
    const context = { httpStatus: 404 }
    expect(await reportTestError(source, { context })).toEqual({
      success: true,
      hash: '',
      deduplicated: false,
    })
    expect(await listErrorsOf(source)).toEqual([])
    // an invalid body is refused first
    const refused = await source.client.send(reportError, { body: { message: '', module: 'm', context } })
    expect(refused.status).toBe(400)
    await expect
      .poll(() =>
        server.sql('select discarded::int, accepted::int from error_intake where application_id = $1', [
          source.id,
        ]),
      )
      .toEqual([{ discarded: 1, accepted: 0 }])
  })
  test('transient errors have severity low', async () => {
    const source = await createReporter(server, organization)
    await reportTestError(source, { severity: 'critical', context: { statusCode: 503 } })
    expect(only(await listErrorsOf(source)).severity).toBe('low')
  })
})

describe('validation', () => {
  test.each([
    ['no message', { module: 'm' }],
    ['an empty message', { message: '', module: 'm' }],
    ['a blank message', { message: ' \n ', module: 'm' }],
    ['a message of NUL characters', { message: '\0', module: 'm' }],
    ['no module', { message: 'x' }],
    ['a blank module', { message: 'x', module: ' ' }],
    ['an unknown severity', { ...body, severity: 'fatal' }],
    ['an unknown method', { ...body, method: 'HEAD' }],
    ['a long message', { ...body, message: 'x'.repeat(2_001) }],
    ['a long module', { ...body, module: 'x'.repeat(101) }],
    ['a long stack', { ...body, stack: 'x'.repeat(10_001) }],
    ['a long file', { ...body, file: 'x'.repeat(501) }],
    ['a long function', { ...body, function: 'x'.repeat(201) }],
    ['a long endpoint', { ...body, endpoint: 'x'.repeat(501) }],
    ['a long user', { ...body, userId: 'x'.repeat(256) }],
    ['a negative line', { ...body, line: -1 }],
    ['a large line', { ...body, line: 2 ** 31 }],
    ['a list as context', { ...body, context: [] }],
    ['too many occurrences', { ...body, occurrences: 1_001 }],
  ])('refuses %s', async (_what, wrong) => {
    const source = await createReporter(server, organization)
    const answer = await source.client.send(reportError, { body: wrong as never })
    expect([answer.status, (answer.body as { errorCode?: string }).errorCode]).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(await listErrorsOf(source)).toEqual([])
  })

  test('accepts unknown fields, characters that cannot be stored and any context', async () => {
    const source = await createReporter(server, organization)
    let deep: Record<string, unknown> = { end: true }
    for (let n = 0; n < 100; n++) deep = { deep }
    const answer = await reportTestError(source, {
      message: 'a\0b\ud800c',
      release: '1.2.3',
      context: { deep, text: 'x'.repeat(100_000), 'a\0': 'b\0', ...JSON.parse('{"__proto__":{"a":1}}') },
    })
    expect(answer.deduplicated).toBe(false)
    expect(only(await listErrorsOf(source)).message).toBe('ab\ufffdc')
    const sample = only(
      await server.sql<{ report: { context: Record<string, unknown> } }>(
        `select report from error_sample s join error_group g on g.organization_id = s.organization_id and g.id = s.error_id
         where g.application_id = $1`,
        [source.id],
      ),
    )
    expect(sample.report.context).toMatchObject({ _truncated: true })
    expect(JSON.stringify(sample.report.context).length).toBeLessThan(20_000)
  })

  test('accepts each text at its maximum length', async () => {
    const source = await createReporter(server, organization)
    const long = (length: number) => 'x'.repeat(length)
    await reportTestError(source, {
      message: long(2_000),
      module: long(100),
      stack: long(10_000),
      file: long(500),
      function: long(200),
      endpoint: long(500),
      userId: long(255),
      line: 2 ** 31 - 1,
    })
    expect(only(await listErrorsOf(source)).message).toBe(long(2_000))
  })

  test('refuses a body beyond 256 KB', async () => {
    const source = await createReporter(server, organization)
    const context = { text: 'x'.repeat(limits.errorReportBytes) }
    const answer = await source.client.send(reportError, { body: { ...body, context } })
    expect([answer.status, (answer.body as unknown as { errorCode: string }).errorCode]).toEqual([
      413,
      'BODY_TOO_LARGE',
    ])
  })

  test('returns the given request id, or a new one', async () => {
    const source = await createReporter(server, organization)
    const sent = await source.client.send(reportError, { body, headers: { 'x-request-id': 'mine-1' } })
    expect(sent.headers.get('x-request-id')).toBe('mine-1')
    const own = await source.client.send(reportError, { body })
    expect(own.headers.get('x-request-id')).toMatch(/\S{8,}/)
  })
})

describe('authorization', () => {
  test('requires the scope, which the error does not name', async () => {
    const source = await makeApplication(server, organization, { scopes: ['analytics:errors:read'] })
    const answer = await source.client.send(reportError, { body })
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ errorCode: 'INSUFFICIENT_SCOPE' })
    expect(answer.text).not.toContain('analytics')
    const reader = await makeApplication(server, organization, { scopes: ['analytics:errors:write'] })
    expect((await reader.client.send(readErrorStatistics)).status).toBe(403)
  })
  test('requires the module, which is checked first', async () => {
    const free = await server.organization({ plan: 'FREE' })
    const source = await makeApplication(server, free, { scopes: [] })
    const answer = await source.client.send(reportError, { body })
    expect([answer.status, (answer.body as unknown as { errorCode: string }).errorCode]).toEqual([
      403,
      'MODULE_NOT_ENABLED',
    ])
  })
  test('requires a key', async () => {
    expect((await server.client().send(reportError, { body })).status).toBe(401)
  })
})

test('secrets reach neither the database nor the log', async () => {
  const source = await createReporter(server, organization)
  await reportTestError(source, {
    message: 'login with password=Sesame7Opens for ann@hidden.example failed',
    stack: 'Error: token=Sesame7Opens\n    at a (/app/a.ts:1:1)',
    endpoint: '/login?apiKey=Sesame7Opens',
    userId: 'ann@hidden.example',
    context: {
      auth: 'Sesame7Opens',
      deep: { note: 'secret: Sesame7Opens' },
      url: 'https://u:Sesame7Opens@x.example',
    },
  })
  const tables = ['error_group', 'error_sample', 'error_history', 'error_user', 'event', 'outbox', 'audit']
  for (const table of tables) {
    const rows = JSON.stringify(await server.sql(`select * from ${table}`))
    expect([table, rows.includes('Sesame7Opens'), rows.includes('hidden.example')]).toEqual([
      table,
      false,
      false,
    ])
  }
  expect(server.logged()).not.toContain('Sesame7Opens')
})

test('beyond 300 new errors per hour an overflow error per module collects the rest', async () => {
  const words = (n: number) =>
    n.toString(26).replace(/./g, digit => defined('abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]))
  const reportMany = async () => {
    const home = await server.organization()
    const source = await createReporter(server, home)
    await reportTestError(source, { message: 'known before' })
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        reportTestError(source, { message: `broken ${words(n)}`, module: `m${n % 2}` }),
      ),
    )
    return { home, source, answers }
  }
  const hour = () => Math.floor(Date.now() / 3_600_000)
  const startHour = hour()
  const first = await reportMany()
  // the limit is of a full hour: reports in two of them are not enough
  const { home, source, answers } = hour() === startHour ? first : await reportMany()
  // existing errors are still counted separately
  expect((await reportTestError(source, { message: 'known before' })).deduplicated).toBe(true)
  const groups = await server.sql<{ is_overflow: boolean; count: number; message: string }>(
    'select is_overflow, count::int, message from error_group where organization_id = $1',
    [home.id],
  )
  expect(groups.filter(row => !row.is_overflow)).toHaveLength(limits.newErrorsPerHour)
  const over = groups.filter(row => row.is_overflow)
  expect(over).toHaveLength(2)
  expect(over.reduce((sum, { count }) => sum + count, 0)).toBe(401 - limits.newErrorsPerHour)
  expect(new Set(answers.map(({ hash }) => hash)).size).toBe(limits.newErrorsPerHour - 1 + 2)
  const events = await errorEventsOf(server, home.id)
  expect(events).toHaveLength(limits.newErrorsPerHour + 2)
})

test('the event goes only to the application of the error, if it subscribed', async () => {
  const home = await server.organization()
  const scopes = ['analytics:errors:write', 'analytics:errors:read'] as const
  const url = 'http://127.0.0.1:9/'
  const events = ['ERROR_REPORTED']
  const [source, other, silent] = await Promise.all([
    makeApplication(server, home, { scopes, url, events }),
    makeApplication(server, home, { scopes, url, events }),
    makeApplication(server, home, { scopes, url, events: ['ERROR_SPIKE'] }),
  ])
  await reportTestError(source)
  await reportTestError(source)
  await reportTestError(silent)
  await server.relayed()
  const rows = await server.sql(
    'select application_id, event, body::jsonb from webhook_delivery where organization_id = $1',
    [home.id],
  )
  expect(rows.map(row => row.application_id)).toEqual([source.id])
  expect(rows[0]).toMatchObject({
    event: 'ERROR_REPORTED',
    body: {
      event: 'ERROR_REPORTED',
      app: { id: source.id },
      data: { message: 'It broke' },
      meta: { schemaVersion: '2026-11' },
    },
  })
  expect(other.id).not.toBe(source.id)
})

test('a report counts once per Idempotency-Key', async () => {
  const source = await createReporter(server, organization)
  const send = (key: string, overrides = {}) =>
    source.client.send(reportError, { body: { ...body, ...overrides }, headers: { 'Idempotency-Key': key } })
  const answers = await Promise.all([1, 2, 3].map(() => send('same')))
  expect(answers.map(({ status, body: { deduplicated } }) => [status, deduplicated])).toEqual(
    Array(3).fill([200, false]),
  )
  const other = await send('same', { module: 'another' })
  expect([other.status, (other.body as unknown as { errorCode: string }).errorCode]).toEqual([
    422,
    'IDEMPOTENCY_KEY_REUSED',
  ])
  expect((await send('next')).body.deduplicated).toBe(true)
  expect((await listErrorsOf(source)).map(({ count }) => count)).toEqual([2])
  expect((await send('x'.repeat(256))).status).toBe(400)
})

test('an application sees only its own errors, even with the same hash', async () => {
  const [one, other] = [
    await createReporter(server, organization),
    await createReporter(server, organization),
  ]
  const [first, second] = [await reportTestError(one), await reportTestError(other)]
  expect(second).toEqual(first)
  expect(only(await listErrorsOf(one)).count).toBe(1)
  expect(only(await listErrorsOf(one)).id).not.toBe(only(await listErrorsOf(other)).id)
})
