import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wireCode } from '#contract/error-body.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { events } from '#contract/events.ts'
import { limits } from '#contract/limits.ts'
import { type Endpoint, pathAt } from '#contract/operation.ts'
import { type Scope, scopePermissions } from '#contract/permissions.ts'
import { settings } from '#server/config.ts'
import { errorsOf } from '#server/openapi.ts'
import { endpoints, served } from '#server/operations.ts'
import { promisedFrames, promisedLimits, promisedRoutes } from '#tests/support/documented-routes.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'
import { generatedDocs } from '../../tools/generated.ts'
import { operations, promises, root } from './operations.ts'
import { leaves } from './schemas.ts'

const all = await promises()
const doors = await operations()
const nameOf = (endpoint: Endpoint) =>
  all.find(promise => promise.endpoint === endpoint)?.name ??
  `${endpoint.method} /${endpoint.area}${endpoint.path}, which no file of contract/ exports`

test('the laws see the whole contract', () => {
  expect(all.length).toBeGreaterThan(50)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

describe('a running server', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.close())

  test('keeps every promise, once, and nothing else', () => {
    const kept = [...world.api.identity.served, ...served].map(({ endpoint }) => nameOf(endpoint)).sort()
    expect(kept).toEqual(all.map(({ name }) => name).sort())
  })
})

test('the documents are made of every promise', () => {
  expect(endpoints.map(nameOf).sort()).toEqual(all.map(({ name }) => name).sort())
})

test('no two operations answer at one address', () => {
  const addresses = doors.map(({ route }) => route.replace(/:\w+/g, ':'))
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
})

describe('the documents', () => {
  const routes = new Set(doors.map(({ route }) => route))

  test('what they promise by now exists', () => {
    const missing = promisedRoutes.filter(({ stage, route }) => stage === 'now' && !routes.has(route))
    expect(missing).toEqual([])
  })
  test('what is marked later is not there yet: mark it now', () => {
    const early = promisedRoutes.filter(({ stage, route }) => stage === 'later' && routes.has(route))
    expect(early).toEqual([])
    expect(new Set(promisedRoutes.map(({ route }) => route)).size).toBe(promisedRoutes.length)
  })
  test('their numbers are the limits', () => {
    expect(limits).toMatchObject(promisedLimits)
  })
  test('the catalog stream has its frames', () => {
    const frames = Object.values(events).map(({ frame }) => frame as string | null)
    for (const { frame, stage } of promisedFrames) {
      if (stage === 'now') expect(frames).toContain(frame)
      else expect(frames).not.toContain(frame)
    }
  })
})

// `{ ...ofOneArea, ...ofAnother }` keeps the later one of two with the same name and says nothing
describe.each([
  { kind: 'limits', joined: limits },
  { kind: 'events', joined: events },
  { kind: 'refusals', joined: errors },
])('$kind of the areas', ({ kind, joined }) => {
  test('have names that differ, and all of them are joined', async () => {
    const files = globSync(`contract/*/${kind}.ts`, { cwd: root })
    const exported = await Promise.all(files.map(file => import(join(root, file)) as Promise<object>))
    const own = exported
      .flatMap(Object.values)
      .filter(value => !Array.isArray(value))
      .flatMap(Object.entries)
    const names = own.map(([name]) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(own.length).toBeGreaterThan(0)
    expect(joined).toMatchObject(Object.fromEntries(own))
  })
})

describe('the generated documents', () => {
  const generated = generatedDocs()
  test('tell every error code, event and operation', () => {
    for (const code of Object.keys(errors) as ErrorCode[])
      expect(generated['docs/api/errors.md']).toContain(
        `| ${wireCode(code) ? `\`${wireCode(code)}\`` : 'none'} |`,
      )
    for (const name of Object.keys(events)) expect(generated['docs/api/events.md']).toContain(`\`${name}\``)
    for (const { route } of doors) expect(generated['docs/api/operations.md']).toContain(`\`${route}\``)
  })
})

test('a scope stands for the permission that people need for the same operation', () => {
  const needed = all.flatMap(({ name, endpoint: { doors } }) => {
    const { scope, also } = doors.application ?? {}
    const { permission } = doors.people ?? {}
    return permission
      ? [scope, also].filter(one => one != null).map(one => [name, one, permission] as const)
      : []
  })
  expect(needed.length).toBeGreaterThan(10)
  const unmapped = needed.filter(([, scope, permission]) => !standsFor(scope).includes(permission))
  // a lead is scored with two scopes: the second one only shows what the first one writes
  expect(unmapped).toEqual([['scoreLead', 'crm:leads:read:scoring', 'CRM_EDIT']])

  function standsFor(scope: Scope): readonly string[] {
    return scopePermissions[scope]
  }
})

test('every setting that is read is listed, and every listed one is read', () => {
  const source = readFileSync(join(root, 'server/config.ts'), 'utf8')
  const read = [...source.matchAll(/\b(?:get|whole|flag|oneOf)\((?:env, )?'([A-Z][A-Z_0-9]+)'/g)].map(
    ([, name]) => name,
  )
  expect([...new Set(read)].sort()).toEqual(settings.map(({ name }) => name).sort())
  const guide = generatedDocs()['docs/guides/configuration.md']
  for (const { name } of settings) expect(guide).toContain(`\`${name}\``)
})

test('every event has an audience, and a frame when a stream carries it', () => {
  for (const [name, told] of Object.entries(events)) {
    const { stream, frame, audience, data } = told as {
      stream: string | null
      frame: string | null
      audience: string
      data: unknown
    }
    expect(audience, name).toMatch(/^[a-z-]+$/)
    expect(data, name).toMatchObject({ type: 'object' })
    expect(frame === null, name).toBe(stream === null)
    const same = Object.values(events).filter(
      event => frame !== null && event.stream === stream && event.frame === frame,
    )
    expect(same.length, name).toBeLessThanOrEqual(1)
  }
})

test.each(all)('$name keeps the form of a promise', ({ endpoint }) => {
  takesItsParams(endpoint)
  hasDoorAndAnswer(endpoint)
  boundsItsInput(endpoint)
  tellsItsRefusals(endpoint)
})

/** Takes the params that stand in its path. */
function takesItsParams(endpoint: Endpoint): void {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const { properties = {} } = (endpoint.params ?? {}) as { properties?: object }
  expect(Object.keys(properties).sort()).toEqual(inPath.sort())
}

/** Has a door, and an answer that its status allows. */
function hasDoorAndAnswer({ doors, method, body, reply, status, sends }: Endpoint): void {
  expect(Object.keys(doors).length).toBeGreaterThan(0)
  if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined()
  if (!sends) expect(status === 204).toBe(reply === undefined)
}

/** Bounds every input: no text, list or number without an end. */
function boundsItsInput({ params, query, body, form }: Endpoint): void {
  const endless = [params, query, body, form && { properties: form }]
    .flatMap(schema => leaves(schema))
    .filter(({ schema }) => {
      const { type, enum: words, maxLength, format, maximum, minimum, maxItems } = schema
      const types = [type].flat()
      if (words) return false
      if (types.includes('string') && maxLength === undefined && format === undefined) return true
      if (
        (types.includes('integer') || types.includes('number')) &&
        (maximum === undefined || minimum === undefined)
      )
        return true
      return types.includes('array') && maxItems === undefined
    })
  expect(endless.map(({ path }) => path)).toEqual([])
  // a fault is told by the description: a pattern says little to people
  const unexplained = [params, query, body]
    .flatMap(schema => leaves(schema))
    .filter(({ schema: { pattern, description } }) => pattern && pattern !== '\\S' && !description)
  expect(unexplained.map(({ path }) => path)).toEqual([])
}

/** Tells what it refuses with. */
function tellsItsRefusals(endpoint: Endpoint): void {
  for (const code of endpoint.errors) expect(Object.keys(errors)).toContain(code)
  expect(new Set(endpoint.errors).size).toBe(endpoint.errors.length)
  for (const door of Object.keys(endpoint.doors)) {
    expect(errorsOf(door as never, endpoint).length).toBeGreaterThan(0)
    const path = pathAt(door as never, endpoint)
    // tools look at places that they know
    if (door === 'tool') expect(path).toMatch(/^\/(mcp|install-address|packages\/[\w/:]+|\.[\w./-]+\.json)$/)
    else if (door === 'toolByAddress') expect(path).toBe(`/t/:address${pathAt('tool', endpoint)}`)
    else if (door === 'anyone')
      expect(path).toMatch(
        /^\/(api\/[\w/:-]+|\.well-known\/[\w-]+\.json|[spc]\/:token(\/\w+)?|portal\/[\w/:-]+|verify)$/,
      )
    else expect(path).toMatch(/^\/api\/[\w/:-]+$/)
  }
}
