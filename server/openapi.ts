import { ErrorBody } from '#contract/error-body.ts'
import { limits } from '#contract/limits.ts'
import type { AuthKind, Operation } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import { type Json, openComponents } from './openapi/components.ts'
import { openRefusals } from './openapi/errors.ts'
import { openExamples } from './openapi/examples.ts'
import { openHeaders, type RequestHeader, requestHeaders } from './openapi/headers.ts'
import { namedSchemas, operationIds } from './openapi/names.ts'
import { type OpenApiContext, operationOf, templateOf } from './openapi/operation.ts'
import { otherPaths } from './openapi/other-routes.ts'
import { shareRepeated } from './openapi/repeated.ts'
import { tagsOf } from './openapi/tags.ts'
import { deliveryHeaders, webhookResponses, webhooksOf } from './openapi/webhooks.ts'

export { errorsOf } from './openapi/errors.ts'

export type OpenApiOptions = {
  /** The prefix of webhook headers. */
  headerPrefix?: string
  /**
   * `applications`: only the operations that an external application calls with its API key, and its
   * webhooks.
   */
  audience?: 'everyone' | 'applications'
}

/** The OpenAPI 3.1 document of the operations, of sign-in, health, and webhooks. */
export function openApiDocument(
  contracts: readonly Operation[],
  publicUrl: string,
  { headerPrefix = 'X-Service-', audience = 'everyone' }: OpenApiOptions = {},
): Json {
  const isForApplications = audience === 'applications'
  const components = openComponents(namedSchemas())
  const headers = openHeaders(headerPrefix)
  const { statusCode, error, message, details, retryAfterSeconds } = ErrorBody.properties
  const signInBody = Type.Object({
    statusCode,
    error,
    message,
    // the error codes of sign-in come from a library, which may add some
    errorCode: Type.Optional(Type.String()),
    details,
    retryAfterSeconds,
  })
  const shared: OpenApiContext = {
    components,
    headers,
    refusals: openRefusals(headers, {
      operation: () => components.refer(ErrorBody),
      signIn: () => components.name('SignInErrorBody', signInBody),
    }),
    examples: openExamples(components.definitionOf),
    idOf: operationIds(),
    parameters: new Set(),
  }
  const described = isForApplications ? contracts.filter(({ auth }) => auth.apiKey) : contracts
  const paths: Record<string, Json> = isForApplications ? {} : otherPaths(shared)
  for (const contract of described) {
    const authKinds = isForApplications ? (['apiKey'] as const) : (Object.keys(contract.auth) as AuthKind[])
    for (const auth of authKinds) {
      const path = templateOf(auth, contract)
      paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operationOf(auth, contract, shared) }
    }
  }
  const ofDeliveries = deliveryHeaders(headerPrefix)
  const webhooks = webhooksOf(components, Object.keys(ofDeliveries))
  const ofRequests = Object.fromEntries(
    [...shared.parameters].map(name => [name, requestHeaders[name as RequestHeader]]),
  )
  const refusals = { ...shared.refusals.used(), ...webhookResponses }
  const repeated = shareRepeated(paths, {
    responses: Object.keys(refusals),
    // generators use one list of names for all kinds of components
    parameters: [components.used(), ofRequests, ofDeliveries].flatMap(Object.keys),
  })
  return {
    openapi: '3.1.0',
    info: {
      title: isForApplications ? 'Patio for applications' : 'Patio',
      version: '1',
      summary: 'Self-hosted, multi-tenant business platform',
      description: `${isForApplications ? callersOfApplications : everyCaller}\n\n${introduction}`,
      contact: { name: 'Patio', url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: isForApplications ? [{ applicationKey: [] }] : [{ session: [] }],
    tags: tagsOf(described, audience),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    webhooks,
    components: {
      schemas: components.used(),
      responses: { ...repeated.responses, ...refusals },
      parameters: { ...repeated.parameters, ...ofRequests, ...ofDeliveries },
      headers: headers.used(),
      securitySchemes: isForApplications
        ? { applicationKey: securitySchemes.applicationKey }
        : securitySchemes,
    },
  }
}

const everyCaller = `People of an organization call with a session token (\`Authorization: Bearer\`), external applications with an API key (\`X-Api-Key\`), tools of a person with a personal access token.`
const callersOfApplications = `External applications call with an API key (\`X-Api-Key\`). \`/api/openapi.json\` also describes the operations for people.`
const introduction = `Every reply has an \`X-Request-Id\`. Calls that count against a limit have \`RateLimit\` and \`RateLimit-Policy\`. HEAD works wherever GET does. An unsupported method gets 405 with \`Allow\`. Errors have the body \`ErrorBody\`; programs should check its \`errorCode\`. An error with a status that an operation does not list is its default response.`

const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From GET /api/auth/token',
  },
  signIn: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token or the cookie of the sign-in reply',
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
}
