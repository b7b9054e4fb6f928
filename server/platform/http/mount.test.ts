import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { operation } from '#contract/operation.ts'
import { Email, OneOf, Reason, Time } from '#contract/shapes.ts'
import { Type } from '#contract/type.ts'
import type { Caller } from '#platform/http/caller.ts'
import { connect } from '#sdk/client.ts'
import { buildApp } from '#server/app.ts'
import { defined, findIn, firstOf } from '#tests/support/elements.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { sql } from '../data/statement.ts'
import { openLog } from '../log.ts'
import { openMetrics } from '../metrics.ts'
import { openCipher } from '../security/cipher.ts'
import { openCallRateLimiter } from './call-rate-limit.ts'
import { failOnContractBreach, warnOnContractBreach } from './contract-check.ts'
import { AlternateReply, command, query, workflow } from './operation.ts'

// a product of four operations, to try the platform without any area
const at = {
  area: 'tried',
  module: 'studio',
  capability: 'crm.leads',
  auth: { session: { permission: 'STUDIO_VIEW' } },
} as const
const echoBody = {
  text: Type.String({ maxLength: 10 }),
  count: Type.Optional(Type.Integer()),
  free: Type.Optional(Type.Unknown()),
  forms: Type.Optional(
    Type.Object(
      {
        times: Type.Optional(Type.Array(Time, { minItems: 1 })),
        name: Type.Optional(Type.String({ minLength: 1, pattern: '\\S' })),
        word: Type.Optional(Type.String({ pattern: '^[a-z]+$', description: 'Small letters' })),
        email: Type.Optional(Email),
        kind: Type.Optional(OneOf(['A', 'B'])),
        amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        reason: Type.Optional(Reason(10, 3)),
        tags: Type.Optional(Type.Array(Type.String())),
      },
      { additionalProperties: false },
    ),
  ),
}
const echo = operation('POST /echo', {
  ...at,
  summary: 'Says back what it was told',
  body: echoBody,
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 7 })) },
  reply: Type.Object({ text: Type.String(), limit: Type.Integer() }),
})
const parts = operation('POST /parts/:id', {
  ...at,
  summary: 'Has something to look at in each part',
  params: { id: Type.String({ maxLength: 25 }) },
  query: {
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    sort: Type.Optional(OneOf(['up', 'down'])),
  },
  body: { ...echoBody, text: Type.String({ minLength: 1 }) },
  reply: Type.Object({}),
})
const leak = operation('GET /leak', {
  ...at,
  summary: 'Replies more than it promised',
  reply: Type.Object({ text: Type.String() }),
})
const burst = operation('GET /bug', { ...at, summary: 'Throws what nobody knows', reply: Type.Object({}) })
const count = operation('POST /count', {
  area: 'tried',
  summary: 'Adds a role, which is as good a row as any',
  auth: { apiKey: { scope: 'studio:assets:read' } },
  body: { name: Type.String() },
  status: 201,
  reply: Type.Object({ id: Type.String() }),
})
const limited = operation('GET /limited', {
  area: 'tried',
  summary: 'Three in an hour',
  auth: { session: { permission: null } },
  reply: Type.Object({}),
  limit: { bucket: 'limited', times: 3, windowSeconds: 3600 },
})
const twice = operation('POST /steps', {
  area: 'tried',
  summary: 'Two transactions',
  auth: { session: { permission: null } },
})

const form = operation('POST /form', {
  area: 'tried',
  summary: 'Counts what a form holds, or says that it would',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  query: { dryRun: Type.Optional(Type.Boolean()) },
  requestType: 'multipart/form-data',
  formFields: { file: Type.String({ format: 'binary' }) },
  status: 201,
  reply: Type.Object({ parts: Type.Array(Type.String()), bytes: Type.Integer() }),
  alternateReply: { status: 200, reply: Type.Object({ wouldBe: Type.String() }) },
})

const insertRole = sql<never, { id: string; name: string }>(
  `insert into role (organization_id, id, name, permissions) values ($organization, $id, $name, '{}')`,
)
const operations = [
  query(echo, async ({ body, query }) => ({ text: body.text, limit: defined(query.limit) })),
  query(parts, async () => ({})),
  query(leak, async () => ({ text: 'fine', password_hash: 'not for you' })),
  query(burst, async () => {
    throw new Error('a detail that must stay inside')
  }),
  command(count, async ({ tx, body }) => {
    const id = `c${Math.floor(performance.now() * 1000)}`
    await tx.run(insertRole, { id, name: body.name })
    return { id }
  }),
  query(limited, async () => ({})),
  workflow(form, async ({ form, query }) => {
    if (query.dryRun) return new AlternateReply({ wouldBe: 'fine', secret: 'not for you' })
    const read = { parts: [] as string[], bytes: 0 }
    for await (const part of form) {
      read.parts.push(part.kind === 'file' ? `${part.name}: ${part.filename}` : `${part.name}=${part.value}`)
      if (part.kind === 'file') read.bytes += (await buffer(part.bytes)).length
    }
    return read
  }),
  workflow(twice, async ({ transact }) => {
    await transact(tx => tx.run(insertRole, { id: 's1', name: 'first' }), { subject: 's1' })
    await transact(tx => tx.run(insertRole, { id: 's2', name: 'second' }), { subject: 's2' })
  }),
]

const caller: Caller = {
  auth: 'session',
  organizationId: 'cmount',
  plan: 'ENTERPRISE',
  modules: new Set(['studio']),
  capabilities: new Set(['crm.leads']),
  features: new Set(),
  personId: 'cperson',
  sessionId: 's',
  applicationId: null,
  permissions: new Set(['STUDIO_VIEW']),
  scopes: new Set(['studio:assets:read']),
  isAdministrator: false,
  isOwner: false,
  isOperator: false,
  isSuspended: false,
  departmentIds: [],
  workspaceIds: [],
  groupIds: [],
}
const callers: Record<string, Caller> = {
  good: caller,
  'no-module': { ...caller, modules: new Set(), capabilities: new Set(), permissions: new Set() },
  'no-capability': { ...caller, capabilities: new Set(), permissions: new Set() },
  'no-permission': { ...caller, permissions: new Set() },
  suspended: { ...caller, isSuspended: true, modules: new Set() },
}

const lines: string[] = []
let drop: () => Promise<void>
let database: Database
let app: Awaited<ReturnType<typeof buildApp>>
let url: string

async function open(watch: Parameters<typeof buildApp>[0]['contractCheck']) {
  const log = openLog('debug', 'test', { write: line => void lines.push(line) })
  return buildApp({
    log,
    contractCheck: watch,
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    served: operations,
    admission: {
      services: { database, cipher: openCipher(['a secret of this test']) } as never,
      callRateLimiter: openCallRateLimiter(1),
      authenticate: {
        person: token => callers[token],
        stream: () => undefined,
        session: () => undefined,
        tool: () => undefined,
        toolByAddress: () => undefined,
        application: key =>
          key === 'key' ? { ...caller, auth: 'apiKey', personId: '', applicationId: 'capp' } : undefined,
      },
    },
  })
}

beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = await openDatabase({
    url: fresh.url,
    poolSize: 5,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 4_000,
    lockTimeoutMs: 3_000,
    idleInTransactionTimeoutMs: 5_000,
    applicationName: 'test',
  })
  await insertRows(onPool(database.pool), 'organization', [{ id: 'cmount', plan: 'ENTERPRISE' }])
  app = await open(warnOnContractBreach(openLog('silent', 'test')))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await database.close()
  await drop()
})

async function post(
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
  path = '/api/tried/echo',
) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer good', 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

test('the checks run in the documented order, before the body is read', async () => {
  const codes: unknown[] = []
  for (const token of ['unknown', 'suspended', 'no-module', 'no-capability', 'no-permission']) {
    const { status, body } = await post('{ not json', { Authorization: `Bearer ${token}` })
    codes.push([status, body.errorCode ?? body.message])
  }
  expect(codes).toEqual([
    [401, 'The credential is missing, wrong or expired. Sign in again, or send another key or token.'],
    [403, 'ORGANIZATION_SUSPENDED'],
    [403, 'MODULE_NOT_ENABLED'],
    [403, 'CAPABILITY_NOT_ENABLED'],
    [403, 'PERMISSION_DENIED'],
  ])
})

test('a bare error has the standard fields only, and no code', async () => {
  const { body } = await post('{}', { Authorization: 'Basic x' })
  expect(Object.keys(body)).toEqual(['statusCode', 'error', 'message'])
  const missing = await post('{}', { Authorization: 'Bearer no-module' })
  expect(missing.body).toMatchObject({ statusCode: 403, error: 'Forbidden', moduleKey: 'studio' })
})

test('a valid body is accepted, the query is coerced and defaults are set', async () => {
  expect((await post('{"text":"hi"}')).body).toEqual({ text: 'hi', limit: 7 })
  expect((await post('{"text":"hi"}', {}, '/api/tried/echo?limit=3&unknown=1')).body).toEqual({
    text: 'hi',
    limit: 3,
  })
})

test.each([
  ['a number where text stands', '{"text":5}', 'text', 'type'],
  ['an unknown field', '{"text":"a","more":1}', 'more', 'unknown'],
  ['text that is too long', '{"text":"12345678901"}', 'text', 'maxLength'],
  ['a missing field', '{}', 'text', 'required'],
  ['NUL', '{"text":"a\\u0000"}', 'text', 'characters'],
  ['a lone surrogate', '{"text":"\\ud800"}', 'text', 'characters'],
  ['a key that reaches a prototype', '{"text":"a","free":{"__proto__":{}}}', 'free', 'key'],
  ['an array', '[]', '', 'type'],
  ['null', 'null', '', 'type'],
])('%s is refused with its path', async (_what, text, path, code) => {
  const { status, body } = await post(text)
  expect(status).toBe(400)
  expect(body.errorCode).toBe('VALIDATION_ERROR')
  expect((body.details as { path: string; code: string }[])[0]).toMatchObject({ path, code })
})

test.each([
  [
    '{"times":["2026-11-22T10:00:00Z","yesterday"]}',
    'forms.times.1',
    'must be a date and time such as 2027-06-01T00:00:00Z',
  ],
  [
    '{"times":["2026-02-30T10:00:00Z"]}',
    'forms.times.0',
    'must be a date and time such as 2027-06-01T00:00:00Z',
  ],
  ['{"name":"  "}', 'forms.name', 'must not be blank'],
  ['{"name":""}', 'forms.name', 'must be at least 1 character'],
  ['{"name":7}', 'forms.name', 'must be a text'],
  ['{"word":"A"}', 'forms.word', 'does not fit: Small letters'],
  ['{"email":"nobody"}', 'forms.email', 'must be an e-mail address such as name@example.com'],
  ['{"kind":"C"}', 'forms.kind', 'must be one of A, B'],
  ['{"kind":null}', 'forms.kind', 'must be a text'],
  ['{"amount":0}', 'forms.amount', 'must be at least 1'],
  ['{"amount":101}', 'forms.amount', 'must be at most 100'],
  ['{"amount":1.5}', 'forms.amount', 'must be a whole number'],
  ['{"times":[]}', 'forms.times', 'must have at least 1 item'],
  ['{"more":1}', 'forms.more', 'is not a field of this operation'],
])('the format of a text is described in words: %s', async (forms, path, message) => {
  const { body } = await post(`{"text":"a","forms":${forms}}`)
  expect((body.details as object[])[0]).toMatchObject({ path, message })
})

type Fault = { path: string; code: string; message: string }

test('all problems of path, query and body are reported at once', async () => {
  const { status, body } = await post(
    '{"text":"","count":"many","forms":{"amount":0,"name":"","word":"A","kind":3},"one":1,"two":2}',
    {},
    `/api/tried/parts/${'x'.repeat(30)}?limit=0&sort=sideways`,
  )
  expect(status).toBe(400)
  expect((body.details as Fault[]).map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
    'count must be a whole number',
    'forms.amount must be at least 1',
    'forms.kind must be a text',
    'forms.name must be at least 1 character',
    'forms.word does not fit: Small letters',
    'id must be at most 25 characters',
    'limit must be at least 1',
    'one is not a field of this operation',
    'sort must be one of up, down',
    'text must be at least 1 character',
    'two is not a field of this operation',
  ])
})

test('a reply reports at most 50 problems and the number of others', async () => {
  const many = (count: number) => JSON.stringify({ text: 'a', forms: { tags: Array(count).fill(1) } })
  const { body } = await post(many(300))
  const details = body.details as Fault[]
  expect(details).toHaveLength(51)
  expect(details.at(-1)).toEqual({ path: '', code: 'more', message: 'and 250 more' })
  // in a very large body only the first is looked for
  const large = await post(many(15_000))
  expect(large.body.details).toEqual([{ path: 'forms.tags.0', code: 'type', message: 'must be a text' }])
  // nor does a name that is a megabyte long come back
  const long = await post(JSON.stringify({ text: 'a', ['x'.repeat(500_000)]: 1 }))
  expect(JSON.stringify(long.body).length).toBeLessThan(1_000)
})

test('e-mails and reasons are trimmed before they are checked', async () => {
  const postForms = (forms: object) => post(JSON.stringify({ text: 'a', forms }))
  expect((await postForms({ email: '  ada@example.com \n', reason: `   ${'r'.repeat(10)}   ` })).status).toBe(
    200,
  )
  const { body } = await postForms({ reason: '  ab    ', email: '   ' })
  expect((body.details as Fault[]).map(({ path, code }) => [path, code])).toEqual([
    ['forms.email', 'pattern'],
    ['forms.reason', 'minLength'],
  ])
})

test('an operation without a body refuses fields', async () => {
  const send = (body?: string) =>
    fetch(`${url}/api/tried/steps`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer good',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
  const refused = await send('{"force":true}')
  expect([refused.status, ((await refused.json()) as { details: Fault[] }).details]).toEqual([
    400,
    [{ path: 'force', code: 'unknown', message: 'is not a field of this operation' }],
  ])
  for (const body of ['[]', '"text"', 'null', '1'])
    expect([body, (await send(body)).status]).toEqual([body, 400])
})

test('nesting is limited', async () => {
  const { status, body } = await post(`{"text":"a","free":${'['.repeat(5000)}${']'.repeat(5000)}}`)
  expect([status, body.errorCode]).toEqual([400, 'VALIDATION_ERROR'])
})

test('a body that is not JSON in UTF-8 is refused', async () => {
  expect((await post('{"text":')).body.errorCode).toBe('MALFORMED_BODY')
  expect((await post(Buffer.from([0x22, 0xff, 0x22]))).body.errorCode).toBe('MALFORMED_BODY')
  expect((await post('text', { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await post(`{"text":"${'x'.repeat(limits.bodyBytesMost)}"}`)).status).toBe(413)
})

test('the URL is checked like the body', async () => {
  for (const query of [
    'limit=0',
    'limit=x',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'limit=99999999999999999999',
    'limit=%00',
  ]) {
    const { status, body } = await post('{"text":"hi"}', {}, `/api/tried/echo?${query}`)
    expect([query, status, body.details]).toEqual([query, 400, [expect.objectContaining({ path: 'limit' })]])
  }
})

test('a field that is not in the reply schema is not sent', async () => {
  const response = await fetch(`${url}/api/tried/leak`, { headers: { Authorization: 'Bearer good' } })
  expect(await response.json()).toEqual({ text: 'fine' })
  // and in tests it is an error
  const strict = await open(failOnContractBreach())
  const answer = await strict.inject({ url: '/api/tried/leak', headers: { authorization: 'Bearer good' } })
  expect(answer.statusCode).toBe(500)
  await strict.close()
})

test('a bug leads to 500 without internals and is logged with the request id', async () => {
  const response = await fetch(`${url}/api/tried/bug`, {
    headers: { Authorization: 'Bearer good', 'X-Request-Id': 'look-for-me' },
  })
  expect(response.status).toBe(500)
  expect(response.headers.get('x-request-id')).toBe('look-for-me')
  expect(await response.text()).not.toContain('detail')
  expect(
    lines.some(line => line.includes('look-for-me') && line.includes('a detail that must stay inside')),
  ).toBe(true)
})

test('an invalid request id is replaced', async () => {
  const { headers } = await post('{"text":"hi"}', { 'X-Request-Id': 'x'.repeat(129) })
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a limit is exact, has a retry time, and is counted per caller', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      fetch(`${url}/api/tried/limited`, { headers: { Authorization: 'Bearer good' } }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = findIn(answers, ({ status }) => status === 429)
  const body = (await refused.json()) as Record<string, unknown>
  expect(body.errorCode).toBe('RATE_LIMIT_EXCEEDED')
  expect(refused.headers.get('retry-after')).toBe(String(body.retryAfterSeconds))
  expect(Number(body.retryAfterSeconds)).toBeGreaterThanOrEqual(1)
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=12000;w=60, "limited";q=3;w=3600')
})

test('an Idempotency-Key returns the first reply again, also to concurrent calls', async () => {
  const client = connect(url, { apiKey: 'key' })
  const send = (key: string, name: string) =>
    client.send(count, { body: { name }, headers: { 'Idempotency-Key': key } })
  const answers = await Promise.all(Array.from({ length: 12 }, () => send('k1', 'once')))
  expect(new Set(answers.map(({ status, text }) => `${status}${text}`)).size).toBe(1)
  expect(firstOf(answers).status).toBe(201)
  const { rows } = await database.pool.query(`select count(*)::int as n from role where name = 'once'`)
  expect(rows[0].n).toBe(1)
  const audits = await database.pool.query(
    `select count(*)::int as n from outbox where audit->>'operation' = 'POST /api/external/v1/count'`,
  )
  expect(audits.rows[0].n).toBe(1)

  const other = await send('k1', 'another')
  expect([other.status, (other.body as unknown as { errorCode: string }).errorCode]).toEqual([
    422,
    'IDEMPOTENCY_KEY_REUSED',
  ])
  expect((await send('x'.repeat(256), 'long')).status).toBe(400)
})

test('a refused change leaves nothing, and its key may be used again', async () => {
  const client = connect(url, { apiKey: 'key' })
  const clash = await client.send(count, { body: { name: 'ONCE' }, headers: { 'Idempotency-Key': 'k2' } })
  expect(clash.status).toBe(500)
  const again = await client.send(count, { body: { name: 'twice' }, headers: { 'Idempotency-Key': 'k2' } })
  expect(again.status).toBe(201)
})

test('each transaction of a workflow has its own audit row', async () => {
  const response = await fetch(`${url}/api/tried/steps`, {
    method: 'POST',
    headers: { Authorization: 'Bearer good' },
  })
  expect(response.status).toBe(204)
  const { rows } = await database.pool.query(
    `select audit->>'subject' as subject from outbox where audit->>'operation' like '%steps' order by 1`,
  )
  expect(rows).toEqual([{ subject: 's1' }, { subject: 's2' }])
})

test('an unknown URL and an unsupported method have the usual error body', async () => {
  for (const [method, path, status, error] of [
    ['GET', '/nowhere', 404, 'Not Found'],
    ['DELETE', '/api/tried/echo', 405, 'Method Not Allowed'],
    ['GET', '/api/tried/%zz', 404, 'Not Found'],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ statusCode: status, error })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

describe('a form', () => {
  const send = (
    body: FormData | ReadableStream | string,
    { path = '/api/tried/form', ...headers }: Record<string, string> = {},
  ) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer good', ...headers },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit)
  function filled(...files: number[]): FormData {
    const made = new FormData()
    made.append('note', 'grüße')
    for (const [at, size] of files.entries())
      made.append('file', new Blob([new Uint8Array(size)]), `${at}.bin`)
    return made
  }

  test('is read part by part, however large, and several at once', async () => {
    const sizes = [0, 1, 3_000_000, 70_000]
    const answers = await Promise.all([1, 2, 3].map(() => send(filled(...sizes))))
    for (const answer of answers) {
      expect(answer.status).toBe(201)
      expect(await answer.json()).toEqual({
        parts: ['note=grüße', ...sizes.map((_, at) => `file: ${at}.bin`)],
        bytes: 3_070_001,
      })
    }
  })

  test('can have the declared alternative reply, without other fields', async () => {
    const answer = await send(filled(10), { path: '/api/tried/form?dryRun=true' })
    expect([answer.status, await answer.json()]).toEqual([200, { wouldBe: 'fine' }])
    // and in tests what was not promised is an error
    const strict = await open(failOnContractBreach())
    const request = {
      method: 'POST',
      url: '/api/tried/form?dryRun=true',
      headers: { authorization: 'Bearer good' },
    } as const
    expect((await strict.inject(request)).statusCode).toBe(500)
    await strict.close()
  })

  test('is authenticated before its body is read, and its query is checked', async () => {
    let taken = 0
    const endless = new ReadableStream({
      pull(controller) {
        taken += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const type = 'multipart/form-data; boundary=x'
    const answer = await send(endless, { Authorization: 'Bearer nobody', 'Content-Type': type })
    expect([answer.status, taken < 50_000_000]).toEqual([401, true])
    expect((await send(filled(1), { path: '/api/tried/form?dryRun=perhaps' })).status).toBe(400)
  })

  test.each<[string, string, string, number]>([
    ['JSON', 'application/json', '{}', 415],
    ['no boundary', 'multipart/form-data', 'x', 400],
    [
      'a cut body',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
      400,
    ],
    [
      'too many parts',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(2_100),
      413,
    ],
  ])('of %s is refused', async (_what, type, body, status) => {
    expect((await send(body, { 'Content-Type': type })).status).toBe(status)
  })

  test('is refused with 415 where none is expected', async () => {
    expect((await send(filled(1), { path: '/api/tried/echo' })).status).toBe(415)
  })
})
