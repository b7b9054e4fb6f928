import type { Static, TProperties, TSchema } from 'typebox'
import { bodyBytesOf } from './body-bytes.ts'
import type { ErrorCode } from './errors.ts'
import type { ChangeAnnouncement } from './people-events.ts'
import type { Capability, Feature, Module, Permission, Scope } from './permissions.ts'
import type { Method, Route } from './route.ts'
import { Type } from './type.ts'

export { type AuthKind, type Input, type Method, pathAt, pathPrefix, type Reply } from './route.ts'

/** The kinds of callers that may call an operation, each with the permission or scope that it needs. */
export type Auth = {
  /** A member with a session token; `permission: null` allows every member. */
  session?: { permission: Permission | null }
  /** An external application with an API key; `also` is a second scope that it needs. */
  apiKey?: { scope: Scope | null; also?: Scope }
  /** A tool with a person's access token. Read-only. */
  personalToken?: { permission: Permission }
  /**
   * The same for a tool that cannot send headers: its URL carries a credential that expires after some
   * minutes.
   */
  personalTokenInUrl?: { permission: Permission }
  /** An operator of this server, signed in. */
  operator?: true
  /** A signed-in person who has not chosen an organization, with the sign-in cookie or its bearer token. */
  account?: true
  /** Anybody. The operation protects itself. */
  public?: true
}

/**
 * At most `times` calls of one caller in each window of `windowSeconds`, exact over all processes. Every call
 * counts, before any other check, or only successful calls. With `per: 'key'` each API key is counted
 * separately, and calls of people do not count.
 */
export type RateLimit = {
  bucket: string
  times: number
  windowSeconds: number
  counts?: 'successes'
  per?: 'key'
}

/**
 * At most this many calls of one caller per minute, which may come all at once. Each process counts
 * separately.
 */
export type CallRateLimit = { readonly name: string; readonly perMinute: number }

/** One operation of the contract. The server, the SDK, the documents and the tests read it. */
export type Operation<Input = unknown, Reply = unknown> = Route<Input, Reply> & {
  readonly summary: string
  readonly description?: string
  readonly auth: Auth
  readonly module?: Module
  /** A second required module. */
  readonly alsoModule?: Module
  readonly capability?: Capability
  readonly feature?: Feature
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is optional. */
  readonly bodyOptional: boolean
  /**
   * The body for the documents, if the operation requires more than the schema does and refuses the rest with
   * a code of its own.
   */
  readonly documentedBody?: TProperties
  /** The type of a body that is not JSON; `formFields` describes its parts. */
  readonly requestType?: 'multipart/form-data'
  readonly formFields?: TProperties
  /**
   * Accepts a body that other operations refuse: unknown fields are ignored, and characters that cannot be
   * stored are removed (API-14).
   */
  readonly isLenient?: true
  /**
   * Made for browsers. A request that accepts text/html gets a page, also for an error, and the body may be a
   * form (application/x-www-form-urlencoded) with text fields.
   */
  readonly isHtmlPage?: true
  /** Takes the raw bytes of the body, whatever its type, because a signature covers them. */
  readonly takesRawBody?: true
  /**
   * A POST that people may repeat with an Idempotency-Key, as applications may repeat every POST. Not for
   * replies that contain a secret, because replies are stored for a day.
   */
  readonly isIdempotent?: true
  /** The change that the people's stream announces after a successful call (PEO-6). */
  readonly announces?: ChangeAnnouncement
  /** Also records calls that fail a named check in the audit log (AUD-7). */
  readonly auditsDenials?: true
  /** The largest body: `bodyBytesOf` the schema, or less if the operation says so. */
  readonly bodyBytes?: number
  /** Absent: the reply has no body (204). */
  readonly reply?: TSchema
  readonly alternateReply?: { readonly reply: TSchema }
  readonly errors: readonly ErrorCode[]
  readonly limit?: RateLimit
  /** Replaces the rate limit of the plan. These calls and the caller's other calls are counted separately. */
  readonly ownCallRateLimit?: CallRateLimit
  /** The type of a reply that is not JSON. */
  readonly responseType?:
    | 'text/event-stream'
    | 'redirect'
    | 'application/zip'
    | 'text/csv'
    | 'text/html'
    | 'application/pdf'
    | 'application/xml'
    | 'application/octet-stream'
  /** A second type of such a reply, which the request selects. */
  readonly alternateResponseType?: 'text/markdown'
}

type Fields<Properties> = Properties extends TProperties
  ? Static<ReturnType<typeof Type.Object<Properties>>>
  : Record<never, never>
type OperationOptions<Params, Query, Body, Reply, Also> = {
  area: string
  summary: string
  description?: string
  auth: Auth
  module?: Module
  alsoModule?: Module
  capability?: Capability
  feature?: Feature
  params?: Params
  query?: Query
  body?: Body
  bodyOptional?: boolean
  documentedBody?: TProperties
  requestType?: Operation['requestType']
  formFields?: TProperties
  isLenient?: true
  isHtmlPage?: true
  takesRawBody?: true
  isIdempotent?: true
  announces?: ChangeAnnouncement
  auditsDenials?: true
  bodyBytes?: number
  reply?: Reply
  status?: number
  alternateReply?: { status: number; reply: Also }
  errors?: readonly ErrorCode[]
  limit?: RateLimit
  ownCallRateLimit?: CallRateLimit
  responseType?: Operation['responseType']
  alternateResponseType?: Operation['alternateResponseType']
}

type AlternateReply<Also> = Also extends TSchema ? Static<Also> : never

/**
 * Declares one operation. `route` is the method and the path inside the area. Without `status`, the status is
 * 200, or 204 if there is no reply.
 */
export function operation<
  const Params extends TProperties | undefined = undefined,
  const Query extends TProperties | undefined = undefined,
  const Body extends TProperties | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
  Also extends TSchema | undefined = undefined,
>(
  route: `${Method} /${string}`,
  declaration: OperationOptions<Params, Query, Body, Reply, Also>,
): Operation<
  { params: Fields<Params>; query: Fields<Query>; body: Fields<Body> },
  Reply extends TSchema ? Static<Reply> | AlternateReply<Also> : void
> {
  const {
    params,
    query,
    body,
    bodyOptional = false,
    reply,
    status,
    alternateReply,
    errors = [],
    ...rest
  } = declaration
  const [method, path] = route.split(' ') as [Method, string]
  const bodySchema = body && Type.Object(body, { additionalProperties: declaration.isLenient ?? false })
  return {
    ...(bodySchema && { bodyBytes: bodyBytesOf(bodySchema) }),
    ...rest,
    method,
    path,
    params: params && Type.Object(params),
    query: query && Type.Object(query),
    body: bodySchema,
    bodyOptional,
    reply,
    status: status ?? (reply || declaration.responseType ? 200 : 204),
    ...(alternateReply?.reply && {
      alternateReply: { status: alternateReply.status, reply: alternateReply.reply },
    }),
    errors,
  }
}

/** Whether an export of the contract is an operation. */
export function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'auth' in value && 'method' in value
}
