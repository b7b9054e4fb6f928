import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AuthKind } from '#contract/operation.ts'
import type { Capability, Feature, Module, Permission, Plan, Scope } from '#contract/permissions.ts'

/** The authenticated caller of a request. Cached per process and dropped when anything in it changes. */
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
  /** An application that is switched off: it is known, and may do nothing. */
  readonly isDisabled?: boolean
  /** From where browsers may call as this application. */
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

/** Where a request comes from; goes into the audit row. */
export type Origin = { readonly requestId: string; readonly ip: string; readonly client: string }
/** What a trusted proxy passes on may be no address: then it is the proxy that asks. */
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
 * What limits per address count by: an IPv4 address as it is, of IPv6 the /64 that one customer usually gets, whose other
 * addresses would otherwise be as many more tries.
 */
export function addressKey(address: string): string {
  const withoutZone = address.replace(/%.*$/, '')
  if (!isIPv6(withoutZone)) return withoutZone
  // the one spelling that an address has
  const { address: plain } = new SocketAddress({ address: withoutZone, family: 'ipv6' })
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (mapped) return mapped[1]!
  const [head = '', tail] = plain.split('::')
  const start = head.split(':').filter(Boolean)
  const end = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}

/** The origin of work that no request asked for. */
export const internalOrigin: Origin = { requestId: '', ip: '', client: '' }

/** A caller, at once when known already, and undefined when the credential is not good. */
export type Authenticated = Caller | undefined | Promise<Caller | undefined>

/** How each kind of caller is authenticated. The areas provide it; the platform knows no product word. */
export type Authenticators = {
  /** From the session JWT, for members and operators. */
  person(token: string): Authenticated
  /** From the short token that opens one event stream. */
  stream(token: string): Authenticated
  /** From the sign-in cookie or its bearer token; no organization is chosen yet. */
  session(headers: IncomingHttpHeaders): Authenticated
  application(key: string): Authenticated
  /** From a personal access token. */
  tool(token: string): Authenticated
  /** From what stands in an address for such a token, for some minutes. */
  toolByAddress(address: string): Authenticated
}
