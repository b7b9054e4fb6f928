import Type from 'typebox'
import { type Door, type Endpoint, pathAt } from '#contract/endpoint.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { limits } from '#contract/limits.ts'
import { isFilledInByBrowsers } from './platform/admit.ts'

type Json = Record<string, unknown>

/** What admission may answer at each door, besides what an operation declares itself. */
const atEveryDoor: ErrorCode[] = ['UNAVAILABLE']
const atDoor: Record<Door, ErrorCode[]> = {
  people: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED'],
  operator: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED', 'PERMISSION_DENIED'],
  session: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED'],
  application: [
    'UNAUTHENTICATED',
    'RATE_LIMIT_EXCEEDED',
    'ORGANIZATION_SUSPENDED',
    'APPLICATION_DISABLED',
    'ORIGIN_NOT_ALLOWED',
  ],
  tool: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED', 'PERMISSION_DENIED'],
  toolByAddress: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED', 'PERMISSION_DENIED'],
  anyone: [],
}

/** Every error code that an operation may answer at a door. */
export function errorsOf(door: Door, endpoint: Endpoint): ErrorCode[] {
  const { method, doors, module, capability, feature, query, params, limit } = endpoint
  const codes = new Set<ErrorCode>([...atDoor[door], ...endpoint.errors, ...atEveryDoor])
  if (module) codes.add('MODULE_NOT_ENABLED')
  if (capability) codes.add('CAPABILITY_NOT_ENABLED')
  if (feature) codes.add('FEATURE_NOT_ENABLED')
  if (doors.people?.permission && door === 'people') codes.add('PERMISSION_DENIED')
  if (doors.application?.scope && door === 'application') codes.add('INSUFFICIENT_SCOPE')
  // a body is looked at where none is taken as well
  const readsBody = method !== 'GET'
  if (readsBody || query || params) codes.add('VALIDATION_ERROR')
  if (readsBody)
    for (const code of ['MALFORMED_BODY', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'] as const)
      codes.add(code)
  if (isFilledInByBrowsers(door, endpoint)) codes.add('ORIGIN_NOT_ALLOWED')
  if (limit) codes.add('RATE_LIMIT_EXCEEDED')
  return [...codes]
}

/** The OpenAPI 3.1 document of the given operations. */
export function openApiDocument(endpoints: readonly Endpoint[], publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    for (const door of Object.keys(endpoint.doors) as Door[]) {
      const path = pathAt(door, endpoint).replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = operation(door, endpoint)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patio',
      version: '1',
      description:
        'Two doors lead in: people of an organization with the session token (`Authorization: Bearer`), and external applications with their key (`X-Api-Key`).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(endpoints.map(({ area }) => area))].sort().map(name => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From GET /api/auth/token',
        },
        signIn: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of the sign-in reply, or its cookie',
        },
        streamToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: `From POST /api/auth/sse-token, ${limits.streamTokenSeconds} s`,
        },
        applicationKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'From POST /api/integrations/applications/{id}/keys',
        },
        personalToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'From POST /api/auth/personal-tokens; also taken as the password of Basic',
        },
      },
    },
  }
}

const errorSchema: Json = {
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string', description: 'One sentence that tells a person what to do next' },
    errorCode: { type: 'string', enum: Object.keys(errors) },
    retryAfterSeconds: { type: 'integer' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

function operation(door: Door, endpoint: Endpoint): Json {
  const { method, area, path, summary, description, params, query, doors } = endpoint
  const right = doors[door]
  const permission = typeof right !== 'object' ? null : 'scope' in right ? right.scope : right.permission
  const notes = [description, permission && `Needs \`${permission}\`.`].filter(Boolean).join('\n\n')
  return {
    operationId:
      `${beforeId[door] ?? ''}${method.toLowerCase()}_${area}${path.replace(/[/:.-]+/g, '_')}`.replace(
        /_+$/,
        '',
      ),
    tags: [area],
    summary,
    ...(notes && { description: notes }),
    security: security(door, endpoint),
    parameters: [
      ...(door === 'toolByAddress' ? [toolAddress] : []),
      ...parameters('path', params),
      ...parameters('query', query),
    ],
    ...requestBody(endpoint),
    responses: responses(door, endpoint),
  }
}

function requestBody({ body, bodyOptional, takes, form, page }: Endpoint): Json {
  if (takes) {
    const schema = Type.Object(form ?? {})
    return { requestBody: { required: true, content: { [takes]: { schema } } } }
  }
  if (!body) return {}
  const content = {
    'application/json': { schema: body },
    ...(page && { 'application/x-www-form-urlencoded': { schema: body } }),
  }
  return { requestBody: { required: !bodyOptional, content } }
}

// one operation at two doors is two operations
const beforeId: Partial<Record<Door, string>> = { application: 'external_', toolByAddress: 'by_address_' }
const toolAddress: Json = {
  name: 'address',
  in: 'path',
  required: true,
  description: 'From GET /install-address',
  schema: { type: 'string' },
}

function security(door: Door, endpoint: Endpoint): Json[] {
  if (door === 'anyone') return []
  if (door === 'session') return [{ signIn: [] }]
  if (door === 'application') return [{ applicationKey: [] }]
  if (door === 'tool') return [{ personalToken: [] }]
  if (door === 'toolByAddress') return []
  return endpoint.sends === 'text/event-stream' ? [{ streamToken: [] }] : [{ session: [] }]
}

function parameters(where: 'path' | 'query', schema: unknown): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }))
}

const bytes: Json = { type: 'string', format: 'binary' }

function goodAnswer({ reply, sends, page }: Endpoint): Json {
  if (sends === 'text/event-stream')
    return { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (sends === 'application/zip')
    return { description: 'The archive', content: { [sends]: { schema: bytes } } }
  if (sends === 'text/csv')
    return { description: 'The file', content: { [sends]: { schema: { type: 'string' } } } }
  if (sends === 'text/html')
    return { description: 'The page', content: { [sends]: { schema: { type: 'string' } } } }
  if (sends === 'application/pdf')
    return { description: 'The document', content: { [sends]: { schema: bytes } } }
  if (sends === 'application/octet-stream')
    return { description: 'The file, in its own type', content: { '*/*': { schema: bytes } } }
  const asPage = page && { 'text/html': { schema: { type: 'string' } } }
  return {
    description: 'Done',
    ...(reply && { content: { 'application/json': { schema: reply }, ...asPage } }),
  }
}

function responses(door: Door, endpoint: Endpoint): Json {
  const { status, sends, alsoReplies } = endpoint
  const bad = Map.groupBy(errorsOf(door, endpoint), code => errors[code].status)
  return {
    [status]: goodAnswer(endpoint),
    ...(alsoReplies && {
      [alsoReplies.status]: {
        description: 'Done',
        content: { 'application/json': { schema: alsoReplies.reply } },
      },
    }),
    ...(sends === 'redirect' && { 301: { description: 'Moved: see Location' } }),
    ...(sends === 'application/octet-stream' && {
      206: { description: 'The range that was asked for', content: { '*/*': { schema: bytes } } },
      304: { description: 'The caller has it already: the ETag is in If-None-Match' },
    }),
    ...Object.fromEntries(
      [...bad]
        .sort(([a], [b]) => a - b)
        .map(([code, codes]) => [
          code,
          {
            description: codes
              .map(name => `${'bare' in errors[name] ? '' : `\`${name}\` `}${errors[name].text}`)
              .join('\n\n'),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
    ),
  }
}
