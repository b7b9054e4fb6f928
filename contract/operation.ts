import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { bodyBytesOf } from './body-bytes.ts'
import type { ErrorCode } from './errors.ts'
import type { Capability, Feature, Module, Permission, Scope } from './permissions.ts'
import type { Method, Route } from './route.ts'

export { type AuthKind, type Input, type Method, pathAt, pathPrefix, type Reply } from './route.ts'

/** The kinds of caller that may call an operation, each with the permission or scope that it needs. */
export type Auth = {
  /** A signed-in person; `permission: null` for any member. */
  session?: { permission: Permission | null }
  /** An external application with its key; `also` is a second scope that it needs. */
  apiKey?: { scope: Scope | null; also?: Scope }
  /** A tool of a person, with their personal access token. Reads only. */
  personalToken?: { permission: Permission }
  /** The same for a tool that sends no headers: its address carries a credential that expires after some minutes. */
  personalTokenInUrl?: { permission: Permission }
  /** A signed-in operator of this server. */
  operator?: true
  /** A signed-in person before an organization is chosen, with the sign-in cookie or its bearer token. */
  account?: true
  /** Anybody; such an operation guards itself. */
  public?: true
}

/**
 * At most `times` in each window of `windowSeconds`, counted per caller, exact over all processes. Every call is
 * counted before anything is looked at, or only the calls that succeed. With `per: 'key'` each key of an application is
 * counted for itself, and what people do is not counted.
 */
export type RateLimit = {
  bucket: string
  times: number
  windowSeconds: number
  counts?: 'successes'
  per?: 'key'
}

/** At most so many calls of one caller per minute, which may all come at once. Counted in each process for itself. */
export type CallRateLimit = { readonly name: string; readonly perMinute: number }

/** One promised operation. Read by the server, the SDK, the generated documents and the tests. */
export type Operation<Input = unknown, Reply = unknown> = Route<Input, Reply> & {
  readonly summary: string
  readonly description?: string
  readonly auth: Auth
  readonly module?: Module
  /** A second module that it needs. */
  readonly alsoModule?: Module
  readonly capability?: Capability
  readonly feature?: Feature
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body may be left out. */
  readonly bodyOptional: boolean
  /**
   * Fields as callers must send them, where they are more than the validator asks for: the operation refuses them itself,
   * with a code of its own. For the documents.
   */
  readonly documentedBody?: TProperties
  /** What the body is when it is not JSON; `form` names its parts. */
  readonly requestType?: 'multipart/form-data'
  readonly formFields?: TProperties
  /**
   * Accepts a body that others refuse: it ignores unknown fields, and removes characters that cannot be stored
   * (API-14).
   */
  readonly isLenient?: true
  /**
   * Made for browsers: who accepts text/html is answered with a page, also when refused, and the body may be a form
   * (application/x-www-form-urlencoded), whose fields are texts.
   */
  readonly isHtmlPage?: true
  /** The body is taken as the bytes that it is, whatever its type: a signature is over them. */
  readonly takesRawBody?: true
  /**
   * A POST that people may repeat with their Idempotency-Key, as applications may repeat every one. Not for answers with a
   * secret in them: they are kept for a day.
   */
  readonly isIdempotent?: true
  /** A call that fails a named check is recorded in the audit log as well (AUD-7). */
  readonly auditsDenials?: true
  /** The largest body: see `bodyBytesOf`, or less where the operation says so. */
  readonly bodyBytes?: number
  /** Absent: the answer has no body (204). */
  readonly reply?: TSchema
  readonly alternateReply?: { readonly reply: TSchema }
  readonly errors: readonly ErrorCode[]
  readonly limit?: RateLimit
  /** Takes the place of the ceiling of the plan: these calls and the other calls of the caller take nothing from each other. */
  readonly ownCallRateLimit?: CallRateLimit
  /** What the answer is when it is not JSON. */
  readonly responseType?:
    | 'text/event-stream'
    | 'redirect'
    | 'application/zip'
    | 'text/csv'
    | 'text/html'
    | 'application/pdf'
    | 'application/octet-stream'
  /** A second type of such an answer, which the request decides. */
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
 * Declares one operation. `route` is the method and the path inside the area.
 * Without `status` the answer is 200, or 204 when there is no reply.
 */
export function operation<
  const Params extends TProperties | undefined = undefined,
  const Query extends TProperties | undefined = undefined,
  const Body extends TProperties | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
  Also extends TSchema | undefined = undefined,
>(
  route: `${Method} /${string}`,
  promised: OperationOptions<Params, Query, Body, Reply, Also>,
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
  } = promised
  const [method, path] = route.split(' ') as [Method, string]
  const bodySchema = body && Type.Object(body, { additionalProperties: promised.isLenient ?? false })
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
    status: status ?? (reply || promised.responseType ? 200 : 204),
    ...(alternateReply?.reply && {
      alternateReply: { status: alternateReply.status, reply: alternateReply.reply },
    }),
    errors,
  }
}
