import { type SignInRoute, signInRoutes } from '#contract/identity/sign-in.ts'
import { Type } from '#contract/type.ts'
import type { Json } from './components.ts'
import type { HeaderName } from './headers.ts'
import type { OpenApiContext } from './operation.ts'

type Paths = Record<string, Json>

/** Routes that are not operations of the contract: sign-in, health and the OpenAPI documents. */
export function otherPaths(shared: OpenApiContext): Paths {
  const paths: Paths = {}
  for (const route of signInRoutes) {
    const path = `/api/auth${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: signInOperation(route, shared) }
  }
  return { ...paths, ...serverPaths(shared) }
}

function signInOperation(
  route: SignInRoute,
  { components, headers, refusals, examples }: OpenApiContext,
): Json {
  const { name, summary, description, caller, body, example, reply, opensSession, path } = route
  const schema = body && components.refer(Type.Object(body))
  const sent: HeaderName[] = [
    'X-Request-Id',
    ...(opensSession ? (['Set-Cookie', 'Set-Auth-Token'] as const) : []),
  ]
  const good = reply
    ? {
        200: {
          description: 'Success',
          ...headers.refer(sent),
          content: { 'application/json': { schema: components.refer(reply) } },
        },
      }
    : {
        302: {
          description: 'The browser is redirected',
          ...headers.refer([...sent, 'Location', 'Set-Cookie']),
        },
      }
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId: name,
    tags: ['sign-in'],
    summary,
    description,
    security: caller === 'anyone' ? [] : [{ signIn: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(schema && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: example ?? examples.bodyOf(name, name, schema) } },
      },
    }),
    responses: { ...good, ...refusals.ofSignIn(signInRefusals(route)) },
  }
}

/** The errors of sign-in have codes of their own. */
function signInRefusals({ refusals = {}, body, caller }: SignInRoute): Record<number, readonly string[]> {
  const statuses = [...(body ? [400] : []), ...(caller === 'signed-in' ? [401] : []), 429]
  return { ...Object.fromEntries(statuses.map(status => [status, []])), ...refusals }
}

/** Health, metrics and the OpenAPI documents. */
function serverPaths({ headers }: OpenApiContext): Paths {
  const get = (operationId: string, summary: string, description: string, responses: Json) => ({
    get: { operationId, tags: ['server'], summary, description, security: [], responses },
  })
  const json = (description: string, schema: Json) => ({
    description,
    ...headers.refer(['X-Request-Id']),
    content: { 'application/json': { schema } },
  })
  const document = { 200: json('The document', { type: 'object', additionalProperties: true }) }
  const status = (...words: string[]): Json => ({
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: words } },
  })
  return {
    '/healthz': get(
      'getHealth',
      'Check that the process runs',
      'For supervisors: succeeds as long as the process runs.',
      {
        200: json('It is', status('ok')),
      },
    ),
    '/readyz': get(
      'getReadiness',
      'Check that the process can serve requests',
      'For load balancers: 503 while the database is unavailable, and during a shutdown.',
      { 200: json('It can', status('ready')), 503: json('It cannot', status('not ready')) },
    ),
    '/metrics': get('getMetrics', 'Get metrics for Prometheus', 'Do not expose it to the public.', {
      200: {
        description: 'In the text format of Prometheus',
        ...headers.refer(['X-Request-Id']),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    }),
    '/api/openapi.json': get('getOpenApi', 'Get this document', 'OpenAPI 3.1.', document),
    '/api/external/v1/openapi.json': get(
      'getApplicationOpenApi',
      'Get the document for applications',
      'OpenAPI 3.1 with the operations for API keys and the webhooks. For client generators.',
      document,
    ),
  }
}
