import { gzipSync } from 'node:zlib'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { events } from '#contract/events.ts'
import { exampleValues } from '#contract/examples.ts'
import { pathAt } from '#contract/operation.ts'
import { capabilities, modules } from '#contract/permissions.ts'
import { isCurrency } from '#platform/currency.ts'
import { errorsOf, openApiDocument } from '#server/openapi.ts'
import { operationContracts } from '#server/operations.ts'
import { defined } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { generatedDocs } from '../../tools/generated.ts'
import { type OperationCase, operationCases } from './operations.ts'

type Json = Record<string, unknown>
type Described = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, { $ref?: string; headers?: Json; content?: Record<string, Json> }>
}

const document = openApiDocument(operationContracts, 'https://patio.example.org')
const all = await operationCases()
const { paths, webhooks, components, tags } = document as {
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, { post: Described }>
  components: Record<string, Record<string, Json>>
  tags: { name: string; description?: string }[]
}
const described = [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  ),
  ...Object.entries(webhooks ?? {}).map(([name, { post }]) => ({ route: name, operation: post })),
]
const at = ({ auth, contract }: OperationCase): Described =>
  defined(defined(paths[pathAt(auth, contract).replace(/:(\w+)/g, '{$1}')])[contract.method.toLowerCase()])

/** The value at a place of the document. */
function follow(ref: string): Json {
  const steps = ref.replace(/^#\//, '').split('/')
  return steps.reduce((node, step) => (node as Json)?.[step] as Json, document as Json)
}

/** Every object of the document with its place. */
function* nodes(value: unknown, place = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value as Json]
  for (const [key, inner] of Object.entries(value)) yield* nodes(inner, `${place}/${key}`)
}

test('the document stays as small as it is, and an eighth of that when compressed: decision 0024 says what it consists of', () => {
  const bytes = Buffer.from(JSON.stringify(document))
  expect(bytes.length).toBeLessThanOrEqual(1_040_000)
  expect(gzipSync(bytes).length).toBeLessThanOrEqual(130_000)
})

describe('the document for applications', () => {
  const forApplications = openApiDocument(operationContracts, 'https://patio.example.org', {
    audience: 'applications',
  })

  test('has exactly the operations of API keys and every webhook, within 400 KB', () => {
    const wanted = all.filter(({ auth }) => auth === 'apiKey').map(operation => at(operation).operationId)
    const ids = Object.values(forApplications.paths as typeof paths).flatMap(methods =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(ids.toSorted()).toEqual(wanted.toSorted())
    expect(forApplications.webhooks).toEqual(webhooks)
    expect(JSON.stringify(forApplications).length).toBeLessThanOrEqual(400_000)
  })

  test('uses the same schema names as the whole document, and only schemas that it needs', () => {
    const refs = new Set([...nodes(forApplications)].map(([, { $ref }]) => $ref))
    const { securitySchemes, ...kinds } = forApplications.components as typeof components
    const held = Object.entries(kinds).flatMap(([kind, list]) =>
      Object.keys(list).map(name => `#/components/${kind}/${name}`),
    )
    expect(held.filter(place => !refs.has(place))).toEqual([])
    expect(Object.keys(defined(securitySchemes))).toEqual(['applicationKey'])
    for (const [name, schema] of Object.entries(defined(kinds.schemas)))
      expect([name, schema]).toEqual([name, defined(components.schemas)[name]])
  })
})

test('every operation has an id, a summary, a description and a described tag', () => {
  const known = new Set(tags.filter(({ description }) => description).map(({ name }) => name))
  const incomplete = described.filter(
    ({ operation: { operationId = '', summary, description, tags: [tag = ''] = [] } }) =>
      !/^[a-z][A-Za-z0-9]+$/.test(operationId) || !summary || !description || !known.has(tag),
  )
  expect(incomplete.map(({ route }) => route)).toEqual([])
  const ids = described.map(({ operation }) => operation.operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('the id of an operation is the name of its const, with a prefix for the credentials of programs', () => {
  const prefix = { apiKey: 'external', personalToken: 'tool', personalTokenInUrl: 'byAddress' } as Record<
    string,
    string
  >
  const wrong = all.filter(operation => {
    const { name, auth } = operation
    const wanted = prefix[auth] ? `${prefix[auth]}${defined(name[0]).toUpperCase()}${name.slice(1)}` : name
    return at(operation).operationId !== wanted
  })
  expect(wrong.map(({ name, auth }) => `${name} (${auth})`)).toEqual([])
})

test('the schemas that matter have names', () => {
  for (const name of [
    'Asset',
    'AssetItem',
    'Invoice',
    'InvoiceSummary',
    'Lead',
    'Channel',
    'Message',
    'Budget',
  ])
    expect(Object.keys(defined(components.schemas))).toContain(name)
  expect(
    JSON.stringify(defined(defined(defined(paths['/api/studio/assets/{id}']).get).responses['200']).content),
  ).toBe('{"application/json":{"schema":{"$ref":"#/components/schemas/Asset"}}}')
})

/** Every reference to a schema with the name of its field or parameter. */
function* uses(value: unknown, field = ''): Generator<[schema: string, field: string]> {
  if (typeof value !== 'object' || value === null) return
  const { $ref, name, in: place } = value as Json
  const [, schema] = /^#\/components\/schemas\/(\w+)$/.exec(String($ref)) ?? []
  if (schema) yield [schema, field]
  for (const [key, inner] of Object.entries(value)) {
    const isWrapping = ['schema', 'items', 'anyOf'].includes(key) || Array.isArray(value)
    yield* uses(inner, isWrapping ? (place ? String(name) : field) : key)
  }
}

test('a text, number or enumeration has the name of its own const, not of an equal one', () => {
  const users = Map.groupBy(uses(document), ([schema]) => schema)
  const fieldsOf = (name: string) => [...new Set((users.get(name) ?? []).map(([, field]) => field))]
  expect(fieldsOf('UserId')).toEqual(['userId'])
  expect(fieldsOf('ChannelName')).toEqual(['name'])
  expect(fieldsOf('MessageContent')).toEqual(['content'])
  expect(fieldsOf('SemanticVersion')).toEqual(['version'])
  const nameIn = (path: string, method: string) => {
    const { schema } = defined(
      defined(defined(defined(paths[path])[method]).requestBody).content['application/json'],
    )
    return (schema.properties as Record<string, Json>).name
  }
  const oneLine = '#/components/schemas/OneLine'
  expect(nameIn('/api/studio/assets', 'post')).toEqual({ $ref: oneLine, maxLength: 255 })
  expect(nameIn('/api/org/departments', 'post')).toEqual({ $ref: oneLine, maxLength: 120 })
  expect(nameIn('/api/chat/channels', 'post')).toEqual({ $ref: '#/components/schemas/ChannelName' })
})

test('components have readable names', () => {
  const names = Object.entries(components).flatMap(([kind, list]) =>
    kind === 'headers' || kind === 'securitySchemes' ? [] : Object.keys(list),
  )
  expect(names.filter(name => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([])
  expect(names.filter(name => /WithETag|Ungoverned|^Done$|Reply$/.test(name))).toEqual([])
  for (const name of ['HtmlPage', 'EventStream', 'NoContent', 'LeadList', 'InvoiceList'])
    expect(Object.keys(defined(components.responses))).toContain(name)
})

test('no large unnamed schema is repeated', () => {
  const places = new Map<string, string[]>()
  for (const [place, node] of nodes(document)) {
    if (
      !('properties' in node) ||
      /^#\/paths\/.*\/requestBody\//.test(place) ||
      /^#\/components\/schemas\/\w+$/.test(place)
    )
      continue
    const text = JSON.stringify(node)
    if (text.length > 500) places.set(text, [...(places.get(text) ?? []), place])
  }
  expect([...places.values()].filter(list => list.length > 1)).toEqual([])
})

test('every reference resolves, and every component is used', () => {
  const used = [...nodes(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
  expect(used.filter(ref => follow(ref) === undefined)).toEqual([])
  const there = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, list]) => Object.keys(list).map(name => `#/components/${kind}/${name}`))
  expect(there.filter(ref => !used.includes(ref))).toEqual([])
})

describe('examples', () => {
  const ajv = addFormats
    .default(new Ajv.default({ strict: false, allErrors: true }))
    .addFormat('currency', isCurrency)
  ajv.addSchema({ $id: 'https://patio.example.org/openapi.json', ...(document as object) })
  const inDocument = (schema: Json): Json =>
    JSON.parse(
      JSON.stringify(schema, (key, value) =>
        key === '$ref' ? `https://patio.example.org/openapi.json${value}` : value,
      ),
    )

  test('fit their schemas', () => {
    const examples = [...nodes(document)].flatMap(([place, node]) => {
      const { schema, example, examples } = node
      if (example !== undefined) return [{ place, schema: (schema ?? node) as Json, value: example }]
      const isSchema = Array.isArray(examples) && ('type' in node || '$ref' in node)
      return isSchema ? examples.map(value => ({ place, schema: node, value })) : []
    })
    const wrong = examples.flatMap(({ place, schema, value }) => {
      const fits = ajv.compile(inDocument(schema))
      return fits(value) ? [] : [`${place}: ${ajv.errorsText(fits.errors)}`]
    })
    expect(wrong).toEqual([])
    expect(examples.length).toBeGreaterThan(200)
  })

  test('are realistic, without placeholder texts', () => {
    const fillers = new Set(['text', exampleValues.schemas.OneLine])
    const textsIn = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value]
    const filled = described.filter(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).some(({ example }) =>
        textsIn(example).some(text => fillers.has(text)),
      ),
    )
    expect(filled.map(({ operation }) => operation.operationId)).toEqual([])
    const known = new Set(described.map(({ operation }) => operation.operationId))
    const external = (name: string) => `external${defined(name[0]).toUpperCase()}${name.slice(1)}`
    const unused = Object.keys(exampleValues.bodies).filter(
      name => !known.has(name) && !known.has(external(name)) && name !== 'callMcp',
    )
    expect(unused).toEqual([])
  })

  test('are at the most important replies', () => {
    for (const name of ['Asset', 'AssetItem', 'Channel', 'InvoiceSummary', 'Lead', 'Message'])
      expect(defined(defined(components.schemas)[name]).examples, name).toHaveLength(1)
  })

  test('are at every body that programs send', () => {
    const without = described.filter(({ operation }) => {
      const body = operation.requestBody?.content['application/json']
      return body && body.example === undefined
    })
    expect(without.map(({ route }) => route)).toEqual([])
  })
})

describe('headers', () => {
  const headersOf = (response: Described['responses'][string]): string[] =>
    Object.keys((response.$ref ? follow(response.$ref) : response).headers ?? {})

  test('every reply declares its headers', () => {
    const missing: string[] = []
    for (const operation of all) {
      const isGoverned = operation.auth !== 'public' || operation.contract.limit !== undefined
      for (const [status, response] of Object.entries(at(operation).responses)) {
        const wanted = ['X-Request-Id']
        if (isGoverned && status !== '401') wanted.push('RateLimit', 'RateLimit-Policy')
        if (status === '401' && operation.auth !== 'public') wanted.push('WWW-Authenticate')
        if (status === '429' || status === '503') wanted.push('Retry-After')
        const lacking = wanted.filter(name => !headersOf(response).includes(name))
        if (lacking.length > 0) missing.push(`${operation.route} ${status}: ${lacking.join(', ')}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('a redirect declares Location, a file its name', () => {
    expect(
      headersOf(defined(defined(defined(paths['/api/studio/assets/by-slug/{slug}']).get).responses['301'])),
    ).toContain('Location')
    expect(
      headersOf(defined(defined(defined(paths['/api/studio/assets/{id}/export']).get).responses['200'])),
    ).toContain('Content-Disposition')
  })
})

describe('errors', () => {
  const onTheWire = Object.entries(errors).flatMap(([code, known]) =>
    'bare' in known ? [] : ['wireCode' in known ? known.wireCode : code],
  )
  test('the body lists exactly the codes on the wire', () => {
    const { enum: codes } = defined(components.schemas).ErrorCode as { enum: string[] }
    expect([...codes].sort()).toEqual([...new Set(onTheWire)].sort())
  })

  test('a missing part of a plan is named by its module or capability key', () => {
    const { properties } = defined(components.schemas).ErrorBody as {
      properties: Record<string, { $ref: string }>
    }
    expect(follow(defined(properties.moduleKey).$ref).enum).toEqual([...modules])
    expect(follow(defined(properties.capabilityKey).$ref).enum).toEqual([...capabilities])
  })

  test('every error status is declared, with the codes on the wire', () => {
    for (const operation of all) {
      for (const code of errorsOf(operation.auth, operation.contract)) {
        const known: { status: number; bare?: true; wireCode?: string } = errors[code]
        const { responses } = at(operation)
        const response = (responses[known.status] ?? responses.default) as Json & { $ref: string }
        const text = `${response.description} ${follow(response.$ref).description}`
        if (!known.bare) expect(text, operation.route).toContain(`\`${known.wireCode ?? code}\``)
        if (known.wireCode) expect(text, operation.route).not.toContain(`\`${code}\``)
      }
    }
  })

  test('so do the generated pages', () => {
    const docs = generatedDocs()
    for (const [code, known] of Object.entries(errors)) {
      if (!('wireCode' in known)) continue
      for (const page of ['docs/api/errors.md', 'docs/api/operations.md']) {
        expect(docs[page]).not.toContain(`\`${code}\``)
        expect(docs[page]).toContain(`\`${known.wireCode}\``)
      }
    }
  })
})

test('the document includes requirements that an operation checks itself', () => {
  const bodyOf = (path: string, method: string) => {
    const { schema } = defined(
      defined(defined(defined(paths[path])[method]).requestBody).content['application/json'],
    )
    return (schema.$ref ? follow(schema.$ref as string) : schema) as {
      required: string[]
      minProperties?: number
      properties: Record<string, Json>
    }
  }
  const convert = bodyOf('/api/external/v1/leads/{id}/convert', 'post')
  expect(convert.required).toContain('reason')
  expect(convert.properties.reason).toMatchObject({ minLength: 20 })
  for (const path of ['/api/external/v1/invoices/{id}/mark-paid', '/api/billing/invoices/{id}/mark-paid'])
    expect(defined(bodyOf(path, 'post').properties.method).enum).toEqual([
      'TRANSFER',
      'CASH',
      'CHECK',
      'CARD',
      'OTHER',
    ])
  expect(bodyOf('/api/external/v1/leads/{id}', 'patch').minProperties).toBe(1)
})

test('every event for applications is a webhook with headers and an example', () => {
  const names = Object.entries(events).flatMap(([name, { audience }]) =>
    (audience as string) === 'applications' ? [name] : [],
  )
  expect(Object.keys(webhooks ?? {}).sort()).toEqual(names.sort())
  for (const [name, { post }] of Object.entries(webhooks)) {
    expect(defined(defined(post.requestBody).content['application/json']).example, name).toMatchObject({
      event: name,
    })
    expect(JSON.stringify(post), name).toContain('#/components/parameters/WebhookSignature')
  }
})

describe('routes outside the contract', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  test.each([
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /api/openapi.json',
    'GET /api/external/v1/openapi.json',
    'POST /api/auth/sign-in/email',
    'POST /api/auth/sign-out',
    'GET /api/auth/get-session',
    'POST /api/auth/two-factor/enable',
    'POST /api/auth/two-factor/verify-totp',
    'GET /api/auth/passkey/generate-authenticate-options',
    'POST /api/auth/passkey/verify-authentication',
    'POST /api/auth/request-password-reset',
    'POST /api/auth/reset-password',
    'POST /api/auth/change-password',
  ])('%s is described', route => {
    expect(described.map(one => one.route)).toContain(route)
  })

  test('every described route exists', async () => {
    const served = new Set(all.map(({ route }) => route.replace(/:(\w+)/g, '{$1}')))
    // these require OpenID Connect
    const byProvider = ['POST /api/auth/sign-in/social', 'GET /api/auth/callback/{id}']
    const others = described.filter(
      ({ route }) => route.includes(' ') && !served.has(route) && !byProvider.includes(route),
    )
    expect(others.length).toBeGreaterThan(15)
    for (const { route } of others) {
      const [method, path] = route.split(' ') as [string, string]
      const response = await fetch(`${server.url}${path}`, { method })
      expect([404, 405], route).not.toContain(response.status)
      await response.arrayBuffer()
    }
  })
})
