import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AuthKind } from '#contract/operation.ts'
import type { Capability, Feature, Module, Permission, Plan, Scope } from '#contract/permissions.ts'
import { required } from '../required.ts'

/** The authenticated caller of a request. Cached per process and invalidated when anything in it changes. */
export type Caller = {
  readonly auth: AuthKind
  readonly organizationId: string
  readonly plan: Plan
  readonly modules: ReadonlySet<Module>
  readonly capabilities: ReadonlySet<Capability>
  readonly features: ReadonlySet<Feature>
  /** The person; empty for an application. */
  readonly personId: string
  /** The id of the sign-in session, the personal access token or the API key. */
  readonly sessionId: string
  readonly applicationId: string | null
  /** A disabled application: it is authenticated, and may do nothing. */
  readonly isDisabled?: boolean
  /** The origins from which browsers may call as this application. */
  readonly origins?: ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  readonly scopes: ReadonlySet<Scope>
  /** OWNER, ADMIN and the super administrator may administer every object of the organization. */
  readonly isAdministrator: boolean
  readonly isOwner: boolean
  readonly isOperator: boolean
  readonly isSuspended: boolean
  readonly departmentIds: readonly string[]
  readonly workspaceIds: readonly string[]
  readonly groupIds: readonly string[]
}

/** The application that calls an operation for applications alone. Throws an Error for a person. */
export function applicationOf({ applicationId }: Pick<Caller, 'applicationId'>): string {
  return required(applicationId, 'the application of a caller')
}

/** The source of a request, for the audit row. */
export type Origin = { readonly requestId: string; readonly ip: string; readonly client: string }
/** A trusted proxy may forward something that is not an address: then the proxy's own address counts. */
export function originOf({
  id,
  ip,
  socket,
  headers,
}: Pick<FastifyRequest, 'id' | 'ip' | 'headers' | 'socket'>): Origin {
  const client = (headers['user-agent'] ?? '').slice(0, 200)
  return { requestId: id, ip: isIP(ip) > 0 ? ip : (socket.remoteAddress ?? ''), client }
}
/**
 * The key of limits per address: an IPv4 address, or the /64 of an IPv6 address, which one customer usually
 * gets, because each further address would allow as many more attempts.
 */
export function addressKey(address: string): string {
  const withoutZone = address.replace(/%.*$/, '')
  if (!isIPv6(withoutZone)) return withoutZone
  // the canonical spelling of the address
  const { address: plain } = new SocketAddress({ address: withoutZone, family: 'ipv6' })
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? []
  if (mapped !== undefined) return mapped
  const [head = '', tail] = plain.split('::')
  const start = head.split(':').filter(Boolean)
  const end = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}

/** The origin of work without a request. */
export const internalOrigin: Origin = { requestId: '', ip: '', client: '' }

/** A caller, immediately if cached; undefined if the credential is invalid. */
export type Authenticated = Caller | undefined | Promise<Caller | undefined>

/**
 * How each kind of caller is authenticated. The areas provide the functions, because the platform knows no
 * product terms.
 */
export type Authenticators = {
  /** From the session JWT, for members and operators. */
  person(token: string): Authenticated
  /** From the short-lived token of an event stream. */
  stream(token: string): Authenticated
  /** From the sign-in cookie or its bearer token, before an organization is chosen. */
  session(headers: IncomingHttpHeaders): Authenticated
  application(key: string): Authenticated
  /** From a personal access token. */
  tool(token: string): Authenticated
  /** From the credential in a URL that stands for such a token for some minutes. */
  toolByAddress(address: string): Authenticated
}
