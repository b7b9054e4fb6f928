import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestsPerMinute } from '#contract/limits.ts'
import type { AuthKind, CallRateLimit, Operation, RateLimit } from '#contract/operation.ts'
import type { Permission, Plan } from '#contract/permissions.ts'
import { fail } from '../fail.ts'
import type { OutboxServices, Services } from '../services.ts'
import type { CallRateLimiter } from './call-rate-limit.ts'
import { type Authenticators, addressKey, type Caller, originOf } from './caller.ts'
import { countCall } from './counted-limits.ts'
import { isAllowedOrigin, isCrossSitePost } from './origins.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export type AdmissionOptions = {
  authenticate: Authenticators
  callRateLimiter: CallRateLimiter
  services: OutboxServices & Pick<Services, 'publicUrl'>
}

/**
 * The checks before the input is read, in the order of API-8: credential 401, rate limit 429, then 403 for a
 * suspended organization, a disabled application, another site's browser, module, capability, feature, and
 * scope or permission. A cached caller is admitted in the current tick.
 */
export function admission(options: AdmissionOptions, auth: AuthKind, contract: Operation) {
  const { ownCallRateLimit } = contract
  const credential = credentialAt(options.authenticate, auth, contract)
  // limits of successes are counted where the success happens, see mount.ts
  const limit = isCountedAt(auth, contract) ? contract.limit : undefined
  return function admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    try {
      const authenticated = credential(request)
      if (authenticated instanceof Promise)
        authenticated.then(caller => checkCaller(request, reply, caller)).then(() => done(), done)
      else {
        const waiting = checkCaller(request, reply, authenticated)
        if (waiting) waiting.then(() => done(), done)
        else done()
      }
    } catch (error) {
      done(error as Error)
    }
  }

  async function countAgainstLimit(limit: RateLimit, caller: string, reply: FastifyReply): Promise<void> {
    setRateLimitHeaders(reply, await countCall(options.services.database, limit, caller))
  }

  function checkCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
  ): Promise<void> | undefined {
    if (needsOriginCheck(auth, contract) && isCrossSitePost(request, options.services.publicUrl))
      fail('ORIGIN_NOT_ALLOWED')
    if (auth === 'public') {
      if (limit) return countAgainstLimit(limit, addressKey(originOf(request).ip), reply)
      return undefined
    }
    if (!caller) fail('UNAUTHENTICATED')
    request.caller = caller
    const isOriginAllowed =
      auth !== 'apiKey' || isAllowedOrigin(caller, options.services.publicUrl, request, reply)
    const rateLimit = options.callRateLimiter.take(
      ownCallRateLimit ? `${ownCallRateLimit.name}/${callRateLimitKey(caller)}` : callRateLimitKey(caller),
      ownCallRateLimit ?? planCallRateLimits[caller.plan],
    )
    if (rateLimit) setRateLimitHeaders(reply, rateLimit)
    if (limit) {
      const application = limit.per === 'key' ? caller.sessionId : caller.applicationId
      const rateLimitCaller = application ?? `${caller.organizationId}/${caller.personId}`
      return countAgainstLimit(limit, rateLimitCaller, reply).then(() =>
        assertAllowed(caller, auth, contract, isOriginAllowed),
      )
    }
    assertAllowed(caller, auth, contract, isOriginAllowed)
    return undefined
  }
}

/**
 * Changes for which a browser sends everything by itself: forms of pages, whose visitor a cookie or the URL
 * identifies, and operations that use the sign-in cookie.
 */
export function needsOriginCheck(auth: AuthKind, { method, isHtmlPage }: Operation): boolean {
  return method !== 'GET' && (isHtmlPage === true || auth === 'account')
}

/** The call rate limit of each plan (LIM-1). */
export const planCallRateLimits: Record<Plan, CallRateLimit> = {
  FREE: { name: 'default', perMinute: requestsPerMinute.FREE },
  TEAM: { name: 'default', perMinute: requestsPerMinute.TEAM },
  BUSINESS: { name: 'default', perMinute: requestsPerMinute.BUSINESS },
  ENTERPRISE: { name: 'default', perMinute: requestsPerMinute.ENTERPRISE },
}

/**
 * The calls that are counted together: of a key, of a person in an organization, or of a person without an
 * organization.
 */
function callRateLimitKey({ auth, applicationId, sessionId, organizationId, personId }: Caller): string {
  if (applicationId !== null) return sessionId
  return auth === 'account' ? `account/${personId}` : `${organizationId}/${personId}`
}

function isCountedAt(auth: AuthKind, { limit }: Operation): boolean {
  return limit !== undefined && limit.counts !== 'successes' && (limit.per !== 'key' || auth === 'apiKey')
}

/** Checks the plan before the rights, so that a missing module is reported before a missing permission. */
export function assertAllowed(
  caller: Caller,
  auth: AuthKind,
  contract: Operation,
  isOriginAllowed = true,
): void {
  const { module, alsoModule, capability, feature, auth: access } = contract
  if (caller.isSuspended && auth !== 'account') fail('ORGANIZATION_SUSPENDED')
  if (caller.isDisabled) fail('APPLICATION_DISABLED')
  if (!isOriginAllowed) fail('ORIGIN_NOT_ALLOWED')
  for (const requiredModule of [module, alsoModule])
    if (requiredModule && !caller.modules.has(requiredModule))
      fail('MODULE_NOT_ENABLED', { moduleKey: requiredModule })
  if (capability && !caller.capabilities.has(capability))
    fail('CAPABILITY_NOT_ENABLED', { capabilityKey: capability })
  if (feature && !caller.features.has(feature)) fail('FEATURE_NOT_ENABLED')
  if (auth === 'operator' && !caller.isOperator) fail('PERMISSION_DENIED')
  if (auth === 'session') {
    const permission = access.session?.permission
    if (permission && !caller.permissions.has(permission)) fail('PERMISSION_DENIED')
  }
  if (auth === 'personalToken' || auth === 'personalTokenInUrl') {
    const permission = access[auth]?.permission
    if (permission && !caller.permissions.has(permission)) fail('PERMISSION_DENIED')
  }
  if (auth === 'apiKey') {
    const { scope, also } = access.apiKey ?? {}
    if ((scope && !caller.scopes.has(scope)) || (also && !caller.scopes.has(also)))
      fail('INSUFFICIENT_SCOPE', {}, 'scope')
  }
}

/** The rights of a person that a module, a capability, a feature and a permission stand for. */
type RequiredRights = Pick<Operation, 'module' | 'capability' | 'feature'> & {
  permission: Permission | null
}

/** Whether a person has these rights; the same checks as those of `assertAllowed`. */
export function hasRights(
  caller: Caller,
  { module, capability, feature, permission }: RequiredRights,
): boolean {
  return (
    !caller.isSuspended &&
    (!module || caller.modules.has(module)) &&
    (!capability || caller.capabilities.has(capability)) &&
    (!feature || caller.features.has(feature)) &&
    (!permission || caller.permissions.has(permission))
  )
}

/**
 * Reads the credential of each kind of caller. An event stream cannot carry headers, so its token is in the
 * URL.
 */
function credentialAt(authenticators: Authenticators, auth: AuthKind, contract: Operation) {
  return (request: FastifyRequest) => {
    if (auth === 'public') return undefined
    if (auth === 'account') return authenticators.session(request.headers)
    if (auth === 'apiKey') {
      const key = request.headers['x-api-key']
      return typeof key === 'string' && key !== '' ? authenticators.application(key) : undefined
    }
    if (contract.responseType === 'text/event-stream') {
      const { token } = request.query as { token?: unknown }
      return typeof token === 'string' && token !== '' ? authenticators.stream(token) : undefined
    }
    if (auth === 'personalTokenInUrl')
      return authenticators.toolByAddress((request.params as { address: string }).address)
    const { authorization } = request.headers
    if (auth === 'personalToken') {
      const token = toolToken(authorization)
      return token === undefined ? undefined : authenticators.tool(token)
    }
    if (!authorization?.startsWith('Bearer ')) return undefined
    return authenticators.person(authorization.slice(7))
  }
}

export const bearerChallenge = 'Bearer realm="Patio"'
/** The value of WWW-Authenticate for a kind of caller. */
export function challengesAt(auth: AuthKind): string | string[] {
  if (auth === 'apiKey') return 'ApiKey realm="Patio", header="X-Api-Key"'
  // a client with user and password in its URL responds to the second challenge
  return auth === 'personalToken'
    ? [bearerChallenge, 'Basic realm="Patio", charset="UTF-8"']
    : bearerChallenge
}

/** The token of `Authorization: Bearer`, or the password of `Basic` with any user. */
function toolToken(authorization: string | undefined): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic') return value || undefined
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return password || undefined
}
