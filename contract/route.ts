/**
 * The address of an operation and its status: all that a client needs. This module imports nothing, so that
 * clients do not load the schemas of the contract.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The path prefix of each kind of caller. */
export const pathPrefix = {
  session: '/api',
  operator: '/api',
  account: '/api',
  public: '/api',
  apiKey: '/api/external/v1',
  // these addresses have no prefix because tools look at fixed places
  personalToken: '',
  personalTokenInUrl: '/t/:address',
} as const
export type AuthKind = keyof typeof pathPrefix

/** How to reach one operation. */
export type Route<Input = unknown, Reply = unknown> = {
  readonly method: Method
  /** Relative to the prefix and the area: `/assets/:id`. */
  readonly path: string
  readonly area: string
  readonly auth: { readonly [Name in AuthKind]?: unknown }
  readonly status: number
  /** An alternative reply of the operation. */
  readonly alternateReply?: { readonly status: number }
  /** A POST that people may repeat with an Idempotency-Key, as applications may repeat every POST. */
  readonly isIdempotent?: true
  /** Carries static types only; never set. */
  readonly types?: { input: Input; reply: Reply }
}

/** How to reach an event stream. It has no status to wait for because it does not end. */
export type StreamRoute<Query = object> = Pick<Route, 'method' | 'path' | 'area' | 'auth'> & {
  /** Carries a static type only; never set. */
  readonly streamQuery?: Query
}

export type Input<R> = R extends Route<infer In> ? In : never
export type Reply<R> = R extends Route<unknown, infer Out> ? Out : never

/** The full path of an operation for one kind of caller: `/api/studio/assets/:id`. */
export function pathAt(auth: AuthKind, { area, path }: Pick<Route, 'area' | 'path'>): string {
  // well-known files belong at the root, and pages for people without an account have short addresses
  if (auth === 'public' && /^\/(?:\.well-known|s|p|c|portal|verify)(?:\/|$)/.test(path)) return path
  if (auth === 'apiKey' || auth === 'personalToken' || auth === 'personalTokenInUrl')
    return `${pathPrefix[auth]}${path}`
  return `${pathPrefix[auth]}/${area}${path === '/' ? '' : path}`
}
