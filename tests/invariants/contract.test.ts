import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wireCode } from '#contract/error-body.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { events } from '#contract/events.ts'
import { limitDescriptions } from '#contract/limit-descriptions.ts'
import { limits } from '#contract/limits.ts'
import { type Operation, pathAt } from '#contract/operation.ts'
import { type Scope, scopePermissions } from '#contract/permissions.ts'
import { settings } from '#server/config.ts'
import { errorsOf } from '#server/openapi.ts'
import { operationContracts, operations } from '#server/operations.ts'
import { documentedFrames, documentedLimits, documentedRoutes } from '#tests/support/documented-routes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { generatedDocs } from '../../tools/generated.ts'
import { contractConsts, operationCases, root } from './operations.ts'
import { leaves } from './schemas.ts'

const all = await contractConsts()
const auth = await operationCases()
const nameOf = (contract: Operation) =>
  all.find(promise => promise.contract === contract)?.name ??
  `${contract.method} /${contract.area}${contract.path}, which no file of contract/ exports`

test('the invariants cover the whole contract', () => {
  expect(all.length).toBeGreaterThan(50)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

describe('a running server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  test('serves exactly the operations of the contract', () => {
    const served = [...server.api.identity.sessionOperations, ...operations]
      .map(({ contract }) => nameOf(contract))
      .sort()
    expect(served).toEqual(all.map(({ name }) => name).sort())
  })
})

test('the documents contain every operation', () => {
  expect(operationContracts.map(nameOf).sort()).toEqual(all.map(({ name }) => name).sort())
})

test('no two operations have the same route', () => {
  const addresses = auth.map(({ route }) => route.replace(/:\w+/g, ':'))
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
})

describe('the documents', () => {
  const routes = new Set(auth.map(({ route }) => route))

  test('the documented routes exist', () => {
    const missing = documentedRoutes.filter(({ stage, route }) => stage === 'now' && !routes.has(route))
    expect(missing).toEqual([])
  })
  test('routes marked "later" do not exist yet', () => {
    const early = documentedRoutes.filter(({ stage, route }) => stage === 'later' && routes.has(route))
    expect(early).toEqual([])
    expect(new Set(documentedRoutes.map(({ route }) => route)).size).toBe(documentedRoutes.length)
  })
  test('the documented limits are in force', () => {
    expect(limits).toMatchObject(documentedLimits)
  })
  test('every limit has a unit and a meaning', () => {
    expect(Object.keys(limits).filter(name => !(name in limitDescriptions))).toEqual([])
  })
  test('the catalogue stream has its frames', () => {
    const frames = Object.values(events).map(({ frame }) => frame as string | null)
    for (const { frame, stage } of documentedFrames) {
      if (stage === 'now') expect(frames).toContain(frame)
      else expect(frames).not.toContain(frame)
    }
  })
})

// `{ ...ofOneArea, ...ofAnother }` silently keeps the later one of two equal names
describe.each([
  { kind: 'limits', joined: limits },
  { kind: 'events', joined: events },
  { kind: 'refusals', joined: errors },
])('$kind of the areas', ({ kind, joined }) => {
  test('have unique names, and all of them are included', async () => {
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
  test('contain every error code, event and operation', () => {
    for (const code of Object.keys(errors) as ErrorCode[])
      expect(generated['docs/api/errors.md']).toContain(
        `| ${wireCode(code) ? `\`${wireCode(code)}\`` : 'none'} |`,
      )
    for (const name of Object.keys(events)) expect(generated['docs/api/events.md']).toContain(`\`${name}\``)
    for (const { route } of auth) expect(generated['docs/api/operations.md']).toContain(`\`${route}\``)
  })
})

test('a scope corresponds to the permission of the same operation', () => {
  const needed = all.flatMap(({ name, contract: { auth } }) => {
    const { scope, also } = auth.apiKey ?? {}
    const { permission } = auth.session ?? {}
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

// server/config.test.ts checks that exactly these are read
test('every setting is in the guide', () => {
  const guide = generatedDocs()['docs/guides/configuration.md']
  for (const { name } of settings) expect(guide).toContain(`\`${name}\``)
})

test('every event has an audience, and a frame if a stream carries it', () => {
  for (const [name, event] of Object.entries(events)) {
    const { stream, frame, audience, data } = event as {
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
    // the people's stream says the kind of object with `type`
    if (stream !== 'people') expect(same.length, name).toBeLessThanOrEqual(1)
  }
})

test.each(all)('$name is well-formed', ({ contract }) => {
  takesItsParams(contract)
  hasDoorAndAnswer(contract)
  boundsItsInput(contract)
  declaresItsErrors(contract)
})

/** Declares the params of its path. */
function takesItsParams(contract: Operation): void {
  const inPath = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const { properties = {} } = (contract.params ?? {}) as { properties?: object }
  expect(Object.keys(properties).sort()).toEqual(inPath.sort())
}

/** Has a kind of caller, and a reply that matches its status. */
function hasDoorAndAnswer({ auth: access, method, body, reply, status, responseType }: Operation): void {
  expect(Object.keys(access).length).toBeGreaterThan(0)
  if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined()
  if (!responseType) expect(status === 204).toBe(reply === undefined)
}

/** Bounds every input: no text, list or number without a maximum. */
function boundsItsInput({ params, query, body, formFields }: Operation): void {
  const endless = [params, query, body, formFields && { properties: formFields }]
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
  // errors use the description, because a pattern says little to people
  const unexplained = [params, query, body]
    .flatMap(schema => leaves(schema))
    .filter(({ schema: { pattern, description } }) => pattern && pattern !== '\\S' && !description)
  expect(unexplained.map(({ path }) => path)).toEqual([])
}

/** Declares its error codes. */
function declaresItsErrors(contract: Operation): void {
  for (const code of contract.errors) expect(Object.keys(errors)).toContain(code)
  expect(new Set(contract.errors).size).toBe(contract.errors.length)
  for (const auth of Object.keys(contract.auth)) {
    expect(errorsOf(auth as never, contract).length).toBeGreaterThan(0)
    const path = pathAt(auth as never, contract)
    // tools look at fixed places
    if (auth === 'personalToken')
      expect(path).toMatch(/^\/(mcp|install-address|packages\/[\w/:]+|\.[\w./-]+\.json)$/)
    else if (auth === 'personalTokenInUrl')
      expect(path).toBe(`/t/:address${pathAt('personalToken', contract)}`)
    else if (auth === 'public')
      expect(path).toMatch(
        /^\/(api\/[\w/:-]+|\.well-known\/[\w-]+\.json|[spc]\/:token(\/\w+)?|portal\/[\w/:-]+|verify)$/,
      )
    else expect(path).toMatch(/^\/api\/[\w/:-]+$/)
  }
}
