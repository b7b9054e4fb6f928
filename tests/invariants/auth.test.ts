import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { Door, Endpoint } from '#contract/operation.ts'
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
import { addressFor, plantToken } from '#tests/support/identity/personal-tokens.ts'
import { type Application, application } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import { openWorld, type Person, type TestWorld } from '#tests/support/test-server.ts'
import { type Answer, ask, type Credential, codeOf, malformed, type Raw, written } from './ask.ts'
import { bearer, byKey, signInToken, streamToken } from './home.ts'
import { type Operation, operations } from './operations.ts'

const all = await operations()
let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

/** The checks that stand before the input, in the documents' order, and the code of each. */
const gates = ['suspended', 'disabled', 'origin', 'module', 'capability', 'feature', 'permission'] as const
type Gate = (typeof gates)[number]
const codes: Record<Gate, (operation: Operation) => ErrorCode> = {
  suspended: () => 'ORGANIZATION_SUSPENDED',
  disabled: () => 'APPLICATION_DISABLED',
  origin: () => 'ORIGIN_NOT_ALLOWED',
  module: () => 'MODULE_NOT_ENABLED',
  capability: () => 'CAPABILITY_NOT_ENABLED',
  feature: () => 'FEATURE_NOT_ENABLED',
  permission: ({ door }) => (door === 'application' ? 'INSUFFICIENT_SCOPE' : 'PERMISSION_DENIED'),
}

function gatesOf({ door, endpoint }: Operation): Gate[] {
  if (door === 'anyone' || door === 'session') return []
  const { module, capability, feature, doors } = endpoint
  const has: Record<Gate, unknown> = {
    suspended: true,
    disabled: door === 'application',
    origin: door === 'application',
    module,
    capability,
    feature,
    permission: door === 'operator' || permissionAt(door, endpoint) || doors.application?.scope,
  }
  return gates.filter(gate => has[gate])
}

function permissionAt(door: Door, { doors }: Endpoint): Permission | null | undefined {
  return door === 'tool' || door === 'toolByAddress' ? doors[door]?.permission : doors.people?.permission
}

/** Every single gate; and every two of them, and all of them. */
function combinations(list: Gate[]): [single: Gate[][], several: Gate[][]] {
  const pairs = list.flatMap((one, at) => list.slice(at + 1).map(other => [one, other]))
  return [list.map(one => [one]), [...pairs, ...(list.length > 2 ? [list] : [])]]
}
/** Of what is asked of all operations of a door, one asks one part in so many. */
const shares = 5

type Someone = Person & { application?: Application; origin?: string }
const known = new Map<string, Promise<Someone>>()

/** Somebody who fails at these gates of an operation and at no other. */
function someone(operation: Operation, failing: readonly Gate[]): Promise<Someone> {
  const { door, endpoint } = operation
  const key = JSON.stringify([
    door,
    failing,
    endpoint.module,
    endpoint.capability,
    endpoint.feature,
    endpoint.doors,
  ])
  const there = known.get(key) ?? make()
  known.set(key, there)
  return there

  async function make(): Promise<Someone> {
    const fails = (gate: Gate) => failing.includes(gate)
    const organization = await world.organization({
      plan: 'ENTERPRISE',
      features: features.filter(feature => !fails('feature') || feature !== endpoint.feature),
    })
    await world.sql(
      `update organization set modules_removed = $2, capabilities_removed = $3,
         suspended_at = case when $4 then now() end where id = $1`,
      [
        organization.id,
        modules.filter(module => fails('module') && module === endpoint.module),
        capabilities.filter(capability => fails('capability') && capability === endpoint.capability),
        fails('suspended'),
      ],
    )
    const needed = permissionAt(door, endpoint)
    const person = await organization.person({
      permissions: permissions.filter(permission => !fails('permission') || permission !== needed),
    })
    if (door === 'operator' && !fails('permission')) {
      await world.sql('insert into operator (person_id, home_id) values ($1, $2)', [
        person.id,
        person.organizationId,
      ])
    }
    if (door !== 'application') return person
    const asker = await application(world, organization, {
      principal: person,
      status: fails('disabled') ? 'DISABLED' : 'ACTIVE',
      origins: [allowed],
      scopes: scopes.filter(scope => !fails('permission') || scope !== endpoint.doors.application?.scope),
    })
    return { ...person, application: asker, origin: fails('origin') ? 'https://elsewhere.test' : allowed }
  }
}
const allowed = 'https://allowed.test'

const planted = new Map<Person, Promise<string>>()

async function credentialOf({ door, endpoint }: Operation, person: Someone): Promise<Credential> {
  if (person.application)
    return { headers: { ...byKey(person.application.key).headers, origin: person.origin! } }
  if (door === 'tool' || door === 'toolByAddress') {
    const token = planted.get(person) ?? plantToken(world, person)
    planted.set(person, token)
    return door === 'tool'
      ? bearer(await token)
      : { params: { address: await addressFor(world, await token) } }
  }
  if (door === 'session') return bearer(await signInToken(world, person))
  if (endpoint.sends === 'text/event-stream') return { query: { token: await streamToken(world, person) } }
  return bearer(person.token)
}

/** A request whose input is wrong in every part, so that it shows what was looked at first. */
function senseless(operation: Operation, credential: Credential): Raw {
  const raw = written(operation, {}, credential)
  const [path, query = ''] = raw.path.split('?')
  const wrong = [query, 'limit=many&offset=-1&search=%00'].filter(Boolean).join('&')
  const isRead = raw.method === 'GET'
  return {
    ...raw,
    path: `${path!.replaceAll('//', '/%00/').replace(/\/$/, '/%00')}?${wrong}`,
    headers: { ...raw.headers, ...(!isRead && { 'content-type': 'text/nonsense' }) },
    ...(!isRead && { body: '{ not json' }),
  }
}

const guarded = all.filter(({ door }) => door !== 'anyone')

// the hooks that look at credentials and gates are the same for all operations of a door: each is asked a few of the
// questions, other ones than its neighbours, and the first of each door all of them
const isWhole = process.env.WHOLE_MATRIX === '1'
const each = guarded.map((operation, turn) => ({
  ...operation,
  operation,
  sampled: <Item>(items: Item[]): Item[] => {
    const isFirst = guarded.findIndex(({ door }) => door === operation.door) === turn
    return isWhole || isFirst ? items : items.filter((_, at) => at % shares === turn % shares)
  },
}))

describe.each(each)('$route ($door)', ({ operation, sampled }) => {
  const { door, endpoint } = operation
  const refused = (answer: Answer, code: ErrorCode, who = 'they') => {
    expect([answer.status, codeOf(answer)], who).toEqual([
      errors[code].status,
      'bare' in errors[code] ? String(errors[code].status) : code,
    ])
    expect(malformed(answer)).toBeUndefined()
    expect(errorsOf(door, endpoint)).toContain(code)
  }

  test('asks for a credential before anything else', async () => {
    const [none, ...others] = await badCredentials(operation)
    const [nothing, ...rest] = await Promise.all(
      [none!, ...sampled(others)].map(credential => ask(world.url, senseless(operation, credential))),
    )
    refused(nothing!, 'UNAUTHENTICATED')
    expect(Object.keys(JSON.parse(nothing!.text))).toEqual(['statusCode', 'error', 'message'])
    for (const answer of rest) expect([answer.status, answer.text]).toEqual([401, nothing!.text])
  })

  test('refuses who fails at a gate, by the first of those at which they fail', async () => {
    const [single, several] = combinations(gatesOf(operation))
    for (const failing of [...single, ...sampled(several)]) {
      const person = await someone(operation, failing)
      await world.sql('delete from rate_window')
      const answer = await ask(world.url, senseless(operation, await credentialOf(operation, person)))
      const first = failing[0]!
      refused(answer, codes[first](operation), `who fails at ${failing.join(', then ')}`)
      if (first === 'module') expect(JSON.parse(answer.text).moduleKey).toBe(endpoint.module)
      if (first === 'capability') expect(JSON.parse(answer.text).capabilityKey).toBe(endpoint.capability)
    }
  })

  test('looks at the input of whoever passes all gates', async () => {
    const person = await someone(operation, [])
    await world.sql('delete from rate_window')
    const { status } = await ask(world.url, senseless(operation, await credentialOf(operation, person)))
    expect([401, 403]).not.toContain(status)
    expect(status).toBeLessThan(500)
  })

  const { limit } = endpoint
  if (limit && limit.counts !== 'successes' && (limit.per !== 'key' || door === 'application')) {
    test('counts before it looks at rights and input', async () => {
      const person = await someone(operation, gatesOf(operation))
      const request = senseless(operation, await credentialOf(operation, person))
      await world.sql('delete from rate_window')
      await ask(world.url, request)
      await setUsed(world, limit.times)
      const answer = await ask(world.url, request)
      refused(answer, 'RATE_LIMIT_EXCEEDED')
      const { retryAfterSeconds } = JSON.parse(answer.text) as { retryAfterSeconds: number }
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
      expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds))
      expect(answer.headers.get('ratelimit')).toContain('r=0')
    })
  }
})

/** Credentials that open nothing: none first, then everything that looks like one. */
async function badCredentials(operation: Operation): Promise<Credential[]> {
  const person = await someone(operation, [])
  const [session, stream, signIn, tool] = [
    person.token,
    await streamToken(world, person),
    await signInToken(world, person),
    await plantToken(world, person),
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
  // right tokens at the wrong place, and one that was right once
  const misplaced: Credential[] = []
  if (person.application) {
    const { key } = person.application
    misplaced.push(bearer(session), bearer(key), { query: { key, token: key, 'x-api-key': key } })
    for (const text of [tool, key.slice(0, -1), `${key}0`, key.toLowerCase(), `Bearer ${key}`])
      misplaced.push(byKey(text))
  } else {
    const { key } = await application(world, { id: person.organizationId }, { principal: person, scopes })
    misplaced.push(byKey(key), bearer(key))
  }
  const isForTools = operation.door === 'tool' || operation.door === 'toolByAddress'
  if (operation.door !== 'session') misplaced.push(bearer(signIn))
  if (operation.door !== 'tool') misplaced.push(bearer(tool))
  if (operation.door !== 'toolByAddress') misplaced.push({ query: { token: tool } })
  else {
    const address = await addressFor(world, tool)
    const [organization, id, expires, seal] = address.split('.')
    const later = `${organization}.${id}.${Number(expires) + 1}.${seal}`
    for (const text of [tool, session, later, `${address}x`, `${address}.`, 'a.b.c.d'])
      misplaced.push({ params: { address: text } })
  }
  if (isForTools || operation.door === 'session' || operation.endpoint.sends === 'text/event-stream')
    misplaced.push(bearer(session))
  misplaced.push(bearer(stream), { query: { token: session, access_token: session } })
  if (operation.endpoint.sends !== 'text/event-stream') misplaced.push({ query: { token: stream } })
  return [
    none,
    ...garbage,
    ...misplaced,
    { ...bearer(await old('session', person)), query: { token: await old('stream', person) } },
  ]
}

/** A token whose time is over. */
async function old(use: 'session' | 'stream', { id, organizationId, sessionId }: Person): Promise<string> {
  const [key] = world.config.sessionKeys
  return new SignJWT({ org: organizationId, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: `patio-${use}+jwt`, kid: key!.kid })
    .setIssuer('patio')
    .setAudience(use)
    .setSubject(id)
    .setIssuedAt(Math.floor(nowMs() / 1000) - 3600)
    .setExpirationTime(Math.floor(nowMs() / 1000) - 1)
    .sign(Buffer.from(key!.secret))
}
