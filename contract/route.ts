/**
 * Where an operation is and what it answers: all that a client needs. This module imports nothing, so that clients do
 * not load the schemas of the contract.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The prefixes of the doors. */
export const doorPrefix = {
  people: '/api',
  operator: '/api',
  session: '/api',
  anyone: '/api',
  application: '/api/external/v1',
  // where tools look by themselves
  tool: '',
  toolByAddress: '/t/:address',
} as const
export type Door = keyof typeof doorPrefix

/** The way to one operation. */
export type Route<Input = unknown, Reply = unknown> = {
  readonly method: Method
  /** Relative to the door and area: `/assets/:id`. */
  readonly path: string
  readonly area: string
  readonly doors: { readonly [Name in Door]?: unknown }
  readonly status: number
  /** A second answer that the operation can give instead. */
  readonly alsoReplies?: { readonly status: number }
  /** A POST that people may repeat with an Idempotency-Key, as applications may repeat every one. */
  readonly repeatable?: true
  /** Carries the static types only; never set. */
  readonly types?: { input: Input; reply: Reply }
}

/** The way to an event stream, which goes on and so has no status to wait for. */
export type StreamRoute<Query = object> = Pick<Route, 'method' | 'path' | 'area' | 'doors'> & {
  /** Carries the static type only; never set. */
  readonly streamQuery?: Query
}

export type Input<R> = R extends Route<infer In> ? In : never
export type Reply<R> = R extends Route<unknown, infer Out> ? Out : never

/** The whole path of an operation at one door: `/api/studio/assets/:id`. */
export function pathAt(door: Door, { area, path }: Pick<Route, 'area' | 'path'>): string {
  // everybody looks for these at the root, and pages that people open without an account have short addresses
  if (door === 'anyone' && /^\/(?:\.well-known|s|p|c|portal|verify)(?:\/|$)/.test(path)) return path
  if (door === 'application' || door === 'tool' || door === 'toolByAddress')
    return `${doorPrefix[door]}${path}`
  return `${doorPrefix[door]}/${area}${path === '/' ? '' : path}`
}
