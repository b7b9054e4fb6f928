import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { monotonicMs } from '../../clock.ts'
import { type AddressRule, BlockedAddress } from './addresses.ts'

/** The addresses of a name. Rejects if there are none. */
export type Resolve = (name: string) => Promise<string[]>

/** The name has no address, or its server does not answer. */
export class NameUnknown extends Error {}

const cacheMs = 30_000
const failureCacheMs = 1_000
const maxNames = 10_000

/**
 * Resolves names without the small thread pool that the rest of the process needs, so that one receiver's
 * dead name server delays nobody else. Local names are resolved by the system.
 */
export function openResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  const ofSystem = async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address)
  return async name => {
    if (!name.includes('.')) return ofSystem(name)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const codes = answers.map(answer => (answer.status === 'rejected' ? answer.reason?.code : ''))
    // the hosts file may contain it; a server that does not answer is not asked again
    if (codes.every(code => ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes(code))) return ofSystem(name)
    throw new NameUnknown(`The name server does not answer: ${codes.join()}`)
  }
}

/**
 * Resolves hosts to addresses that may be dialled. The addresses of a name are cached for half a minute, and
 * concurrent lookups share one query. All addresses must be allowed: a single blocked one refuses the name.
 *
 *
 * @throws BlockedAddress, NameUnknown
 */
export function openNames(rule: AddressRule, resolve: Resolve = openResolve()) {
  const cache = new Map<string, { until: number; addresses: Promise<string[]> }>()

  async function find(name: string): Promise<string[]> {
    const addresses = await resolve(name).catch(error => {
      if (error instanceof NameUnknown) throw error
      throw new NameUnknown(`The name ${name} has no address: ${error?.code ?? error?.message}`)
    })
    if (addresses.length === 0) throw new NameUnknown(`The name ${name} has no address`)
    const blocked = addresses.find(address => !rule.allows(address))
    if (blocked !== undefined) throw new BlockedAddress(blocked)
    return addresses
  }

  return (host: string): Promise<string[]> | string[] => {
    const bare = host.startsWith('[') ? host.slice(1, -1) : host
    if (isIP(bare) !== 0) {
      if (!rule.allows(bare)) throw new BlockedAddress(bare)
      return [bare]
    }
    const at = monotonicMs()
    const cached = cache.get(bare)
    if (cached && cached.until > at) return cached.addresses
    if (cache.size >= maxNames) cache.clear()
    const entry = { until: at + cacheMs, addresses: find(bare) }
    cache.set(bare, entry)
    entry.addresses.catch(() => {
      entry.until = monotonicMs() + failureCacheMs
    })
    return entry.addresses
  }
}
export type Names = ReturnType<typeof openNames>

/**
 * Refuses a URL that nothing may be sent to: another scheme, a user or password in it, or a host with blocked
 * addresses. This is for saving a URL; it is checked again whenever it is dialled.
 *
 *
 * @throws BlockedAddress, NameUnknown, TypeError
 */
export async function assertAddressAllowed(url: string, names: Names): Promise<void> {
  const { protocol, username, password, hostname } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError('The address must begin with https://')
  if (username || password) throw new TypeError('The address must not contain a user or password')
  await names(hostname)
}
