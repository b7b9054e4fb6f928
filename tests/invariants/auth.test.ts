import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { AuthKind, Operation } from '#contract/operation.ts'
import {
  capabilities,
  features,
  modules,
  type Permission,
  permissions,
  scopes,
} from '#contract/permissions.ts'
import { nowMs } from '#platform/clock.ts'
import { errorsOf } from '#server/openapi.ts'
import { firstOf, mapAll } from '#tests/support/elements.ts'
import { insertOperator } from '#tests/support/identity/people.ts'
import { addressFor, plantToken } from '#tests/support/identity/personal-tokens.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import { sampleOf } from '#tests/support/sample.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import {
  type Credential,
  codeOf,
  malformed,
  type RawReply,
  type RawRequest,
  rawRequest,
  sendRaw,
} from './ask.ts'
import { bearer, byKey, streamToken } from './home.ts'
import { type OperationCase, operationCases } from './operations.ts'

const all = await operationCases()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** The checks before the input, in the documented order, and the code of each. */
const checks = ['suspended', 'disabled', 'origin', 'module', 'capability', 'feature', 'permission'] as const
type Check = (typeof checks)[number]
const codes: Record<Check, (operation: OperationCase) => ErrorCode> = {
  suspended: () => 'ORGANIZATION_SUSPENDED',
  disabled: () => 'APPLICATION_DISABLED',
  origin: () => 'ORIGIN_NOT_ALLOWED',
  module: () => 'MODULE_NOT_ENABLED',
  capability: () => 'CAPABILITY_NOT_ENABLED',
  feature: () => 'FEATURE_NOT_ENABLED',
  permission: ({ auth }) => (auth === 'apiKey' ? 'INSUFFICIENT_SCOPE' : 'PERMISSION_DENIED'),
}

function checksOf({ auth, contract }: OperationCase): Check[] {
  if (auth === 'public' || auth === 'account') return []
  const { module, capability, feature, auth: access } = contract
  const has: Record<Check, unknown> = {
    suspended: true,
    disabled: auth === 'apiKey',
    origin: auth === 'apiKey',
    module,
    capability,
    feature,
    permission: auth === 'operator' || permissionAt(auth, contract) || access.apiKey?.scope,
  }
  return checks.filter(check => has[check])
}

function permissionAt(auth: AuthKind, { auth: access }: Operation): Permission | null | undefined {
  return auth === 'personalToken' || auth === 'personalTokenInUrl'
    ? access[auth]?.permission
    : access.session?.permission
}

/** Every single check, every pair of them, and all of them. */
function combinations(list: Check[]): [single: Check[][], several: Check[][]] {
  const pairs = list.flatMap((one, at) => list.slice(at + 1).map(other => [one, other]))
  return [list.map(one => [one]), [...pairs, ...(list.length > 2 ? [list] : [])]]
}
/** Each operation runs one of this many parts of the cases. */
const shares = 5

type Someone = Person & { application?: TestApplication; origin?: string }
const known = new Map<string, Promise<Someone>>()

/** A caller who fails exactly these checks of an operation. */
function someone(operation: OperationCase, failing: readonly Check[]): Promise<Someone> {
  const { auth, contract } = operation
  const key = JSON.stringify([
    auth,
    failing,
    contract.module,
    contract.capability,
    contract.feature,
    contract.auth,
  ])
  const existing = known.get(key) ?? make()
  known.set(key, existing)
  return existing

  async function make(): Promise<Someone> {
    const fails = (check: Check) => failing.includes(check)
    const organization = await server.organization({
      plan: 'ENTERPRISE',
      features: features.filter(feature => !fails('feature') || feature !== contract.feature),
    })
    await server.sql(
      `update organization set modules_removed = $2, capabilities_removed = $3,
         suspended_at = case when $4 then now() end where id = $1`,
      [
        organization.id,
        modules.filter(module => fails('module') && module === contract.module),
        capabilities.filter(capability => fails('capability') && capability === contract.capability),
        fails('suspended'),
      ],
    )
    const needed = permissionAt(auth, contract)
    const person = await organization.person({
      permissions: permissions.filter(permission => !fails('permission') || permission !== needed),
    })
    if (auth === 'operator' && !fails('permission')) {
      await insertOperator(server, person)
    }
    if (auth !== 'apiKey') return person
    const caller = await makeApplication(server, organization, {
      principal: person,
      status: fails('disabled') ? 'DISABLED' : 'ACTIVE',
      origins: [allowed],
      scopes: scopes.filter(scope => !fails('permission') || scope !== contract.auth.apiKey?.scope),
    })
    return { ...person, application: caller, origin: fails('origin') ? 'https://elsewhere.test' : allowed }
  }
}
const allowed = 'https://allowed.test'

const planted = new Map<Person, Promise<string>>()

async function credentialOf({ auth, contract }: OperationCase, person: Someone): Promise<Credential> {
  if (person.application)
    return { headers: { ...byKey(person.application.key).headers, origin: person.origin } }
  if (auth === 'personalToken' || auth === 'personalTokenInUrl') {
    const token = planted.get(person) ?? plantToken(server, person)
    planted.set(person, token)
    return auth === 'personalToken'
      ? bearer(await token)
      : { params: { address: await addressFor(server, await token) } }
  }
  if (auth === 'account') return bearer(await signInToken(server, person))
  if (contract.responseType === 'text/event-stream')
    return { query: { token: await streamToken(server, person) } }
  return bearer(person.token)
}

/** A request with invalid input in every part, to show which check runs first. */
function senseless(operation: OperationCase, credential: Credential): RawRequest {
  const raw = rawRequest(operation, {}, credential)
  const [path = '', query = ''] = raw.path.split('?')
  const wrong = [query, 'limit=many&offset=-1&search=%00'].filter(Boolean).join('&')
  const isRead = raw.method === 'GET'
  return {
    ...raw,
    path: `${path.replaceAll('//', '/%00/').replace(/\/$/, '/%00')}?${wrong}`,
    headers: { ...raw.headers, ...(!isRead && { 'content-type': 'text/nonsense' }) },
    ...(!isRead && { body: '{ not json' }),
  }
}

const guarded = all.filter(({ auth }) => auth !== 'public')

// the checks are the same for all operations of a kind of caller: each runs a part of the cases, other ones
// than its neighbours, and the first of each kind runs all of them
const each = guarded.map((operation, turn) => ({
  ...operation,
  operation,
  sampled: <Item>(items: Item[]): Item[] => {
    const isFirst = guarded.findIndex(({ auth }) => auth === operation.auth) === turn
    return isFirst ? items : sampleOf(items, { shares, turn })
  },
}))

describe.each(each)('$route ($auth)', ({ operation, sampled }) => {
  const { auth, contract } = operation
  const refused = (answer: RawReply, code: ErrorCode, who = 'they') => {
    expect([answer.status, codeOf(answer)], who).toEqual([
      errors[code].status,
      'bare' in errors[code] ? String(errors[code].status) : code,
    ])
    expect(malformed(answer)).toBeUndefined()
    expect(errorsOf(auth, contract)).toContain(code)
  }

  test('requires a credential before anything else', async () => {
    const [none, ...others] = await badCredentials(operation)
    const [first, ...rest] = await mapAll([none, ...sampled(others)], credential =>
      sendRaw(server.url, senseless(operation, credential)),
    )
    refused(first, 'UNAUTHENTICATED')
    expect(Object.keys(JSON.parse(first.text))).toEqual(['statusCode', 'error', 'message'])
    for (const answer of rest) expect([answer.status, answer.text]).toEqual([401, first.text])
  })

  test('returns the code of the first failed check', async () => {
    const [single, several] = combinations(checksOf(operation))
    for (const failing of [...single, ...sampled(several)]) {
      const person = await someone(operation, failing)
      await server.sql('delete from rate_window')
      const answer = await sendRaw(server.url, senseless(operation, await credentialOf(operation, person)))
      const first = firstOf(failing)
      refused(answer, codes[first](operation), `who fails at ${failing.join(', then ')}`)
      if (first === 'module') expect(JSON.parse(answer.text).moduleKey).toBe(contract.module)
      if (first === 'capability') expect(JSON.parse(answer.text).capabilityKey).toBe(contract.capability)
    }
  })

  test('validates the input after all checks', async () => {
    const person = await someone(operation, [])
    await server.sql('delete from rate_window')
    const { status } = await sendRaw(server.url, senseless(operation, await credentialOf(operation, person)))
    expect([401, 403]).not.toContain(status)
    expect(status).toBeLessThan(500)
  })

  const { limit } = contract
  if (limit && limit.counts !== 'successes' && (limit.per !== 'key' || auth === 'apiKey')) {
    test('counts before it checks rights and input', async () => {
      const person = await someone(operation, checksOf(operation))
      const request = senseless(operation, await credentialOf(operation, person))
      await server.sql('delete from rate_window')
      await sendRaw(server.url, request)
      await setUsed(server, limit.times)
      const answer = await sendRaw(server.url, request)
      refused(answer, 'RATE_LIMIT_EXCEEDED')
      const { retryAfterSeconds } = JSON.parse(answer.text) as { retryAfterSeconds: number }
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
      expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds))
      expect(answer.headers.get('ratelimit')).toContain('r=0')
    })
  }
})

/** Invalid credentials: none first, then everything that looks like one. */
async function badCredentials(operation: OperationCase): Promise<[none: Credential, ...Credential[]]> {
  const person = await someone(operation, [])
  const [session, stream, signIn, tool] = [
    person.token,
    await streamToken(server, person),
    await signInToken(server, person),
    await plantToken(server, person),
  ]
  const header = (authorization: string): Credential => ({ headers: { authorization } })
  const none: Credential = {}
  const garbage = [
    header(''),
    header('Bearer'),
    header('Bearer '),
    header('Bearer undefined'),
    header('Bearer a.b.c'),
    header(`Basic ${Buffer.from('admin:admin').toString('base64')}`),
    header(`Bearer ${session.slice(0, -2)}`),
    header(`Bearer ${session}x`),
    { headers: { 'x-api-key': session } },
    { headers: { cookie: `session=${session}` } },
    { query: { token: 'a.b.c' } },
  ]
  // valid tokens in the wrong place, and an expired one
  const misplaced: Credential[] = []
  if (person.application) {
    const { key } = person.application
    misplaced.push(bearer(session), bearer(key), { query: { key, token: key, 'x-api-key': key } })
    for (const text of [tool, key.slice(0, -1), `${key}0`, key.toLowerCase(), `Bearer ${key}`])
      misplaced.push(byKey(text))
  } else {
    const { key } = await makeApplication(
      server,
      { id: person.organizationId },
      { principal: person, scopes },
    )
    misplaced.push(byKey(key), bearer(key))
  }
  const isForTools = operation.auth === 'personalToken' || operation.auth === 'personalTokenInUrl'
  if (operation.auth !== 'account') misplaced.push(bearer(signIn))
  if (operation.auth !== 'personalToken') misplaced.push(bearer(tool))
  if (operation.auth !== 'personalTokenInUrl') misplaced.push({ query: { token: tool } })
  else {
    const address = await addressFor(server, tool)
    const [organization, id, expires, seal] = address.split('.')
    const later = `${organization}.${id}.${Number(expires) + 1}.${seal}`
    for (const text of [tool, session, later, `${address}x`, `${address}.`, 'a.b.c.d'])
      misplaced.push({ params: { address: text } })
  }
  if (isForTools || operation.auth === 'account' || operation.contract.responseType === 'text/event-stream')
    misplaced.push(bearer(session))
  misplaced.push(bearer(stream), { query: { token: session, access_token: session } })
  if (operation.contract.responseType !== 'text/event-stream') misplaced.push({ query: { token: stream } })
  return [
    none,
    ...garbage,
    ...misplaced,
    { ...bearer(await old('session', person)), query: { token: await old('stream', person) } },
  ]
}

/** An expired token. */
async function old(use: 'session' | 'stream', { id, organizationId, sessionId }: Person): Promise<string> {
  const key = firstOf(server.config.sessionKeys)
  return new SignJWT({ org: organizationId, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: `patio-${use}+jwt`, kid: key.kid })
    .setIssuer('patio')
    .setAudience(use)
    .setSubject(id)
    .setIssuedAt(Math.floor(nowMs() / 1000) - 3600)
    .setExpirationTime(Math.floor(nowMs() / 1000) - 1)
    .sign(Buffer.from(key.secret))
}
