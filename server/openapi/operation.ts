import type { TObject } from 'typebox'
import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import type { Components, Json } from './components.ts'
import type { RefusalResponses } from './errors.ts'
import type { Examples } from './examples.ts'
import { answerHeadersOf, type HeaderName, type Headers, hasETag, requestHeadersOf } from './headers.ts'

/** The context that the operations of one document share. */
export type OpenApiContext = {
  components: Components
  headers: Headers
  refusals: RefusalResponses
  examples: Examples
  idOf(auth: AuthKind, contract: Operation): string
  /** The request headers that are used, by name. */
  parameters: Set<string>
}

/** An operation of the contract for one kind of caller. */
export function operationOf(auth: AuthKind, contract: Operation, shared: OpenApiContext): Json {
  const { area, summary, params, query } = contract
  const requestHeaders = requestHeadersOf(auth, contract)
  for (const name of requestHeaders) shared.parameters.add(name)
  const parameters = [
    ...(auth === 'personalTokenInUrl' ? [toolAddress] : []),
    ...parametersOf('path', params, shared),
    ...parametersOf('query', query, shared),
    ...requestHeaders.map(name => ({ $ref: `#/components/parameters/${name}` })),
  ]
  return {
    operationId: shared.idOf(auth, contract),
    tags: [area],
    summary,
    description: [contract.description, needsOf(auth, contract)].filter(Boolean).join('\n\n'),
    ...securityOf(auth, contract),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(auth, contract, shared),
    responses: {
      ...successResponsesOf(auth, contract, shared),
      ...shared.refusals.of(auth, contract),
    },
  }
}

/** The required caller, module, permission and scope, in one sentence. */
function needsOf(auth: AuthKind, { auth: access }: Operation): string {
  const { scope, also } = access.apiKey ?? {}
  const isOfPerson = auth === 'session' || auth === 'personalToken' || auth === 'personalTokenInUrl'
  const needed = auth === 'apiKey' ? [scope, also] : [isOfPerson && access[auth]?.permission]
  const names = needed.filter(Boolean).map(name => `\`${name}\``)
  return names.length > 0 ? `Needs ${names.join(' and ')}.` : callers[auth]
}

const callers: Record<AuthKind, string> = {
  session: 'For every member.',
  account: 'For a signed-in person, before an organization is chosen.',
  operator: 'For operators of the server.',
  apiKey: 'For every application.',
  personalToken: 'For tools of a person.',
  personalTokenInUrl: 'For tools that cannot send headers.',
  public: 'Needs no credential.',
}

const toolAddress: Json = {
  name: 'address',
  in: 'path',
  required: true,
  description: 'From GET /install-address',
  schema: { type: 'string' },
}

/** The credential of a kind of caller. The session is the document's default. */
function securityOf(auth: AuthKind, contract: Operation): Json {
  const isStream = contract.responseType === 'text/event-stream'
  const scheme = auth === 'session' && isStream ? 'streamToken' : schemes[auth]
  if (scheme === 'session') return {}
  return { security: scheme ? [{ [scheme]: [] }] : [] }
}
const schemes: Record<AuthKind, string | undefined> = {
  session: 'session',
  operator: 'session',
  account: 'signIn',
  apiKey: 'applicationKey',
  personalToken: 'personalToken',
  personalTokenInUrl: undefined,
  public: undefined,
}

function parametersOf(where: 'path' | 'query', schema: unknown, { components }: OpenApiContext): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Operation['reply'] & object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = components.refer(field)
    return {
      name,
      in: where,
      ...((where === 'path' || required.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function requestBodyOf(auth: AuthKind, contract: Operation, shared: OpenApiContext): Json {
  const { requestType, formFields, isHtmlPage, takesRawBody } = contract
  const body = enforcedBody(contract)
  if (requestType) {
    const schema = shared.components.refer(Type.Object(formFields ?? {}))
    return { requestBody: { required: true, content: { [requestType]: { schema } } } }
  }
  if (takesRawBody)
    return { requestBody: { required: true, content: { 'application/json': { schema: {}, example: {} } } } }
  if (!body) return {}
  const isShared = isHtmlPage || Object.keys(contract.auth).length > 1
  const name = shared.idOf(firstDoorOf(contract), contract)
  const schema = isShared
    ? shared.components.name(`${capitalized(name)}Body`, body)
    : shared.components.refer(body)
  const example = shared.examples.bodyOf(shared.idOf(auth, contract), shared.idOf('public', contract), schema)
  const content = {
    'application/json': { schema, example },
    ...(isHtmlPage && { 'application/x-www-form-urlencoded': { schema } }),
  }
  const isRequired =
    !contract.bodyOptional || (body.required ?? []).length > 0 || body.minProperties !== undefined
  return { requestBody: { ...(isRequired && { required: true }), content } }
}

/** The body as the operation enforces it, which can be stricter than its validator. */
function enforcedBody({ body, documentedBody, errors }: Operation): EnforcedBody | undefined {
  if (!body) return undefined
  const { properties, additionalProperties } = body as TObject & { additionalProperties: boolean }
  const fields = Type.Object({ ...properties, ...documentedBody }, { additionalProperties })
  return errors.includes('NOTHING_TO_CHANGE') ? { ...fields, minProperties: 1 } : fields
}
type EnforcedBody = TObject & { minProperties?: number }

/** The kind of caller whose operationId has no prefix. */
function firstDoorOf({ auth }: Operation): AuthKind {
  return (Object.keys(auth) as AuthKind[]).find(auth => schemes[auth] === 'session') ?? 'public'
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const binary: Json = { type: 'string', contentMediaType: 'application/octet-stream' }
const text: Json = { schema: { type: 'string' } }

/** The media types of a success reply, by the contract. */
function contentOf(contract: Operation, { components, idOf }: OpenApiContext): Json | undefined {
  const { reply, responseType, alternateResponseType, isHtmlPage, auth } = contract
  if (responseType === 'redirect' || !responseType) {
    if (!reply) return undefined
    const { properties } = components.refer(reply)
    // an unnamed reply that two kinds of callers get
    const isShared = properties !== undefined && Object.keys(auth).length > 1
    const name = `${capitalized(idOf(firstDoorOf(contract), contract))}Reply`
    const schema = isShared ? components.name(name, reply) : components.refer(reply)
    return { 'application/json': { schema }, ...(isHtmlPage && { 'text/html': text }) }
  }
  const isText = responseType.startsWith('text/')
  // a file is sent with its own type
  const type = responseType === 'application/octet-stream' ? '*/*' : responseType
  return {
    [type]: isText ? text : { schema: binary },
    ...(alternateResponseType && { [alternateResponseType]: text }),
  }
}

function successResponsesOf(auth: AuthKind, contract: Operation, shared: OpenApiContext): Json {
  const { components, headers } = shared
  const { status, responseType, alternateReply } = contract
  const names = answerHeadersOf(auth, contract)
  const content = contentOf(contract, shared)
  const plain = names.filter(name => name !== 'ETag' && name !== 'Content-Disposition')
  const bodyless = (description: string, ...more: HeaderName[]) => ({
    description,
    ...headers.refer([...plain, ...more]),
  })
  return {
    [status]: { description: 'Success', ...headers.refer(names), ...(content && { content }) },
    ...(alternateReply && {
      [alternateReply.status]: {
        ...bodyless('Success'),
        content: { 'application/json': { schema: components.refer(alternateReply.reply) } },
      },
    }),
    ...(responseType === 'redirect' && { 301: bodyless('Moved to another URL', 'Location') }),
    ...(responseType === 'application/octet-stream' && {
      206: {
        ...bodyless('The requested range', 'ETag', 'Content-Disposition', 'Content-Range'),
        content: { '*/*': { schema: binary } },
      },
    }),
    ...(hasETag(contract) && { 304: bodyless('Not modified since the sent ETag', 'ETag') }),
  }
}

/** The path of an operation in OpenAPI's notation. */
export function templateOf(auth: AuthKind, contract: Operation): string {
  return pathAt(auth, contract).replace(/:(\w+)/g, '{$1}')
}
