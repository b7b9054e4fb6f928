import { wireCode } from '#contract/error-body.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { AuthKind, Operation } from '#contract/operation.ts'
import { needsOriginCheck } from '../platform/http/admission.ts'
import type { Json } from './components.ts'
import type { HeaderName, Headers } from './headers.ts'

/**
 * The codes that authentication and authorization may return for each kind of caller, in addition to the
 * operation's own.
 */
const atEveryDoor: ErrorCode[] = ['UNAVAILABLE']
const atDoor: Record<AuthKind, ErrorCode[]> = {
  session: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED'],
  operator: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED', 'PERMISSION_DENIED'],
  account: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED'],
  apiKey: [
    'UNAUTHENTICATED',
    'RATE_LIMIT_EXCEEDED',
    'ORGANIZATION_SUSPENDED',
    'APPLICATION_DISABLED',
    'ORIGIN_NOT_ALLOWED',
  ],
  personalToken: ['UNAUTHENTICATED', 'RATE_LIMIT_EXCEEDED', 'ORGANIZATION_SUSPENDED', 'PERMISSION_DENIED'],
  personalTokenInUrl: [
    'UNAUTHENTICATED',
    'RATE_LIMIT_EXCEEDED',
    'ORGANIZATION_SUSPENDED',
    'PERMISSION_DENIED',
  ],
  public: [],
}

/** Every error code that an operation may return for a kind of caller. */
export function errorsOf(auth: AuthKind, contract: Operation): ErrorCode[] {
  const { method, auth: access, module, capability, feature, query, params, limit } = contract
  const codes = new Set<ErrorCode>([...atDoor[auth], ...contract.errors, ...atEveryDoor])
  if (module) codes.add('MODULE_NOT_ENABLED')
  if (capability) codes.add('CAPABILITY_NOT_ENABLED')
  if (feature) codes.add('FEATURE_NOT_ENABLED')
  if (access.session?.permission && auth === 'session') codes.add('PERMISSION_DENIED')
  if (access.apiKey?.scope && auth === 'apiKey') codes.add('INSUFFICIENT_SCOPE')
  // a body is parsed even where none is expected
  const readsBody = method !== 'GET'
  if (readsBody || query || params) codes.add('VALIDATION_ERROR')
  if (readsBody)
    for (const code of ['MALFORMED_BODY', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'] as const)
      codes.add(code)
  if (needsOriginCheck(auth, contract)) codes.add('ORIGIN_NOT_ALLOWED')
  if (limit) codes.add('RATE_LIMIT_EXCEEDED')
  return [...codes]
}

/** The named responses. Every other error uses the default response. */
const statuses: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Unprocessable',
  429: 'RateLimited',
}
/**
 * Statuses that an operation lists even without a code of its own, because their headers or meaning differ.
 */
const alwaysDeclared: ReadonlySet<number> = new Set([401, 404, 409, 429])
/** The codes of these statuses in any operation. */
const usualOfNamed = {
  BadRequest: ['VALIDATION_ERROR', 'MALFORMED_BODY'],
  Unauthorized: ['UNAUTHENTICATED'],
  Forbidden: [
    'ORGANIZATION_SUSPENDED',
    'APPLICATION_DISABLED',
    'ORIGIN_NOT_ALLOWED',
    'MODULE_NOT_ENABLED',
    'CAPABILITY_NOT_ENABLED',
    'FEATURE_NOT_ENABLED',
    'INSUFFICIENT_SCOPE',
    'PERMISSION_DENIED',
  ],
  NotFound: ['NOT_FOUND'],
  Conflict: [],
  Unprocessable: ['IDEMPOTENCY_KEY_REUSED'],
  RateLimited: ['RATE_LIMIT_EXCEEDED'],
} satisfies Record<string, readonly ErrorCode[]>
/** The default response: what a status that is not listed can mean in any operation. */
const others = 'Refused'
const usual: Record<string, readonly ErrorCode[]> = {
  ...usualOfNamed,
  [others]: [
    ...usualOfNamed.BadRequest,
    ...usualOfNamed.Forbidden,
    ...usualOfNamed.Unprocessable,
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'INTERNAL',
    'UNAVAILABLE',
  ],
}
const headersOf: Record<string, readonly HeaderName[]> = {
  Unauthorized: ['X-Request-Id', 'WWW-Authenticate'],
  RateLimited: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  Conflict: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  Refused: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Content-Range'],
}
const usualHeaders: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

/** Declares errors by status, and collects the responses that are used. */
export type RefusalResponses = {
  /** The errors of one operation, by status. */
  of(auth: AuthKind, contract: Operation): Json
  /** The errors of a route of sign-in, whose codes differ from those of operations. */
  ofSignIn(codes: Readonly<Record<number, readonly string[]>>): Json
  used(): Record<string, Json>
}

export function openRefusals(
  headers: Headers,
  schemas: { operation(): Json; signIn(): Json },
): RefusalResponses {
  const used = new Map<string, Json>()

  function refer(status: number | 'default', kind: 'Page' | 'SignIn' | '', codes: readonly string[]): Json {
    const name = statuses[status as number] ?? others
    const schema = kind === 'SignIn' ? schemas.signIn() : schemas.operation()
    const content = {
      'application/json': { schema },
      // clients that accept pages get a page
      ...(kind === 'Page' && { 'text/html': { schema: { type: 'string' } } }),
    }
    const description = textOf(usual[name]!) || 'The current state does not allow this'
    const fullName = kind === 'SignIn' ? `SignIn${name}` : `${name}${kind}`
    used.set(fullName, { description, ...headers.refer(headersOf[name] ?? usualHeaders), content })
    return {
      $ref: `#/components/responses/${fullName}`,
      ...(codes.length > 0 && { description: codes.map(code => `\`${code}\``).join(', ') }),
    }
  }

  return {
    of(auth, contract) {
      const kind = contract.isHtmlPage ? 'Page' : ''
      const byStatus = Map.groupBy(errorsOf(auth, contract), code => errors[code].status)
      const responses = [...byStatus].flatMap(([status, codes]) => {
        const name = statuses[status] ?? others
        const unusual = codes.filter(code => !usual[name]!.includes(code))
        const texts = new Set(unusual.flatMap(code => wireCode(code) ?? []))
        return alwaysDeclared.has(status) || texts.size > 0 ? [[status, refer(status, kind, [...texts])]] : []
      })
      return { ...Object.fromEntries(responses), default: refer('default', kind, []) }
    },
    ofSignIn(codes) {
      const responses = Object.entries(codes).map(([status, list]) => [
        status,
        refer(Number(status), 'SignIn', list),
      ])
      return { ...Object.fromEntries(responses), default: refer('default', 'SignIn', []) }
    },
    used: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The wire codes, with their meaning. */
function textOf(codes: readonly ErrorCode[]): string {
  return codes
    .map(code => {
      const onTheWire = wireCode(code)
      return onTheWire ? `\`${onTheWire}\`: ${errors[code].text}` : errors[code].text
    })
    .join('\n\n')
}
