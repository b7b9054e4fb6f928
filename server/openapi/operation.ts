import Type, { type TObject } from 'typebox'
import { type Door, type Endpoint, pathAt } from '#contract/operation.ts'
import type { Components, Json } from './components.ts'
import type { Refusals } from './errors.ts'
import type { Examples } from './examples.ts'
import { answerHeadersOf, type HeaderName, type Headers, hasETag, requestHeadersOf } from './headers.ts'

/** What operations share in one document. */
export type Shared = {
  components: Components
  headers: Headers
  refusals: Refusals
  examples: Examples
  idOf(door: Door, endpoint: Endpoint): string
  /** Request headers that are used, by name. */
  parameters: Set<string>
}

/** An operation of the contract at one door. */
export function operationOf(door: Door, endpoint: Endpoint, shared: Shared): Json {
  const { area, summary, params, query } = endpoint
  const requestHeaders = requestHeadersOf(door, endpoint)
  for (const name of requestHeaders) shared.parameters.add(name)
  const parameters = [
    ...(door === 'toolByAddress' ? [toolAddress] : []),
    ...parametersOf('path', params, shared),
    ...parametersOf('query', query, shared),
    ...requestHeaders.map(name => ({ $ref: `#/components/parameters/${name}` })),
  ]
  return {
    operationId: shared.idOf(door, endpoint),
    tags: [area],
    summary,
    description: [endpoint.description, needsOf(door, endpoint)].filter(Boolean).join('\n\n'),
    ...securityOf(door, endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(door, endpoint, shared),
    responses: {
      ...goodAnswersOf(door, endpoint, shared),
      ...shared.refusals.of(door, endpoint),
    },
  }
}

/** Who calls, and what they must have, in one sentence. */
function needsOf(door: Door, { doors }: Endpoint): string {
  const { scope, also } = doors.application ?? {}
  const isOfPerson = door === 'people' || door === 'tool' || door === 'toolByAddress'
  const needed = door === 'application' ? [scope, also] : [isOfPerson && doors[door]?.permission]
  const names = needed.filter(Boolean).map(name => `\`${name}\``)
  return names.length > 0 ? `Needs ${names.join(' and ')}.` : callers[door]
}

const callers: Record<Door, string> = {
  people: 'For every member.',
  session: 'For a person who is signed in, before an organization is chosen.',
  operator: 'For operators of the server.',
  application: 'For every application.',
  tool: 'For tools of a person.',
  toolByAddress: 'For tools that send no headers.',
  anyone: 'Needs no credential.',
}

const toolAddress: Json = {
  name: 'address',
  in: 'path',
  required: true,
  description: 'From GET /install-address',
  schema: { type: 'string' },
}

/** The credential of a door. That of people is the usual one, which the whole document names. */
function securityOf(door: Door, endpoint: Endpoint): Json {
  const isStream = endpoint.sends === 'text/event-stream'
  const scheme = door === 'people' && isStream ? 'streamToken' : schemes[door]
  if (scheme === 'session') return {}
  return { security: scheme ? [{ [scheme]: [] }] : [] }
}
const schemes: Record<Door, string | undefined> = {
  people: 'session',
  operator: 'session',
  session: 'signIn',
  application: 'applicationKey',
  tool: 'personalToken',
  toolByAddress: undefined,
  anyone: undefined,
}

function parametersOf(where: 'path' | 'query', schema: unknown, { components }: Shared): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Endpoint['reply'] & object>
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

function requestBodyOf(door: Door, endpoint: Endpoint, shared: Shared): Json {
  const { takes, form, page, bytes } = endpoint
  const body = enforcedBody(endpoint)
  if (takes) {
    const schema = shared.components.refer(Type.Object(form ?? {}))
    return { requestBody: { required: true, content: { [takes]: { schema } } } }
  }
  if (bytes)
    return { requestBody: { required: true, content: { 'application/json': { schema: {}, example: {} } } } }
  if (!body) return {}
  const isShared = page || Object.keys(endpoint.doors).length > 1
  const name = shared.idOf(firstDoorOf(endpoint), endpoint)
  const schema = isShared
    ? shared.components.name(`${capitalized(name)}Body`, body)
    : shared.components.refer(body)
  const example = shared.examples.bodyOf(shared.idOf(door, endpoint), shared.idOf('anyone', endpoint), schema)
  const content = {
    'application/json': { schema, example },
    ...(page && { 'application/x-www-form-urlencoded': { schema } }),
  }
  const isRequired =
    !endpoint.bodyOptional || (body.required ?? []).length > 0 || body.minProperties !== undefined
  return { requestBody: { ...(isRequired && { required: true }), content } }
}

/** The body as the operation enforces it, which can be more than its validator asks for. */
function enforcedBody({ body, strictBody, errors }: Endpoint): EnforcedBody | undefined {
  if (!body) return undefined
  const { properties, additionalProperties } = body as TObject & { additionalProperties: boolean }
  const fields = Type.Object({ ...properties, ...strictBody }, { additionalProperties })
  return errors.includes('NOTHING_TO_CHANGE') ? { ...fields, minProperties: 1 } : fields
}
type EnforcedBody = TObject & { minProperties?: number }

/** The door whose operationId is the plain one. */
function firstDoorOf({ doors }: Endpoint): Door {
  return (Object.keys(doors) as Door[]).find(door => schemes[door] === 'session') ?? 'anyone'
}

function capitalized(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1)
}

const binary: Json = { type: 'string', contentMediaType: 'application/octet-stream' }
const text: Json = { schema: { type: 'string' } }

/** What is sent when all is well: its media types, by the contract. */
function contentOf(endpoint: Endpoint, { components, idOf }: Shared): Json | undefined {
  const { reply, sends, alsoSends, page, doors } = endpoint
  if (sends === 'redirect' || !sends) {
    if (!reply) return undefined
    const { properties } = components.refer(reply)
    // an answer without a name that two kinds of callers get
    const isShared = properties !== undefined && Object.keys(doors).length > 1
    const name = `${capitalized(idOf(firstDoorOf(endpoint), endpoint))}Reply`
    const schema = isShared ? components.name(name, reply) : components.refer(reply)
    return { 'application/json': { schema }, ...(page && { 'text/html': text }) }
  }
  const isText = sends.startsWith('text/')
  // a file is sent in the type that it has
  const type = sends === 'application/octet-stream' ? '*/*' : sends
  return { [type]: isText ? text : { schema: binary }, ...(alsoSends && { [alsoSends]: text }) }
}

function goodAnswersOf(door: Door, endpoint: Endpoint, shared: Shared): Json {
  const { components, headers } = shared
  const { status, sends, alsoReplies } = endpoint
  const names = answerHeadersOf(door, endpoint)
  const content = contentOf(endpoint, shared)
  const plain = names.filter(name => name !== 'ETag' && name !== 'Content-Disposition')
  const bodyless = (description: string, ...more: HeaderName[]) => ({
    description,
    ...headers.refer([...plain, ...more]),
  })
  return {
    [status]: { description: 'Success', ...headers.refer(names), ...(content && { content }) },
    ...(alsoReplies && {
      [alsoReplies.status]: {
        ...bodyless('Success'),
        content: { 'application/json': { schema: components.refer(alsoReplies.reply) } },
      },
    }),
    ...(sends === 'redirect' && { 301: bodyless('It has another address now', 'Location') }),
    ...(sends === 'application/octet-stream' && {
      206: {
        ...bodyless('The range that was asked for', 'ETag', 'Content-Disposition', 'Content-Range'),
        content: { '*/*': { schema: binary } },
      },
    }),
    ...(hasETag(endpoint) && { 304: bodyless('Not changed since the ETag that was sent', 'ETag') }),
  }
}

/** The path of an operation as OpenAPI writes it. */
export function templateOf(door: Door, endpoint: Endpoint): string {
  return pathAt(door, endpoint).replace(/:(\w+)/g, '{$1}')
}
