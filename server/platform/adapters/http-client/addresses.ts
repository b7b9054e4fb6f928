import { BlockList, isIP } from 'node:net'

/** The address is not public: a user may not make the server send anything there. */
export class BlockedAddress extends Error {
  constructor(address: string) {
    super(`The address ${address} is not public`)
  }
}

/** Decides which addresses may be reached. */
export type AddressRule = {
  /** True if the IP address may be dialled; false for anything that is not an IP address. */
  allows(address: string): boolean
  /** True if the IP address is in one of the configured networks. */
  isConfigured(address: string): boolean
}

const nonPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
// only 2000::/3 is public; these parts of it embed other addresses or are for examples
const globalUnicast6 = '2000::/3'
const nonPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const blocked4 = listOf(nonPublic4)
const blocked6 = listOf(nonPublic6)
const public6 = listOf([globalUnicast6])

/**
 * Public addresses, and the addresses in `networks` (`10.1.0.0/16`, `::1/128`) for receivers in the same
 * network. An IPv4 address that is embedded in an IPv6 address is checked as IPv4.
 */
export function openAddressRule(networks: readonly string[] = []): AddressRule {
  const configured = listOf(networks)
  function isConfigured(address: string): boolean {
    const family = isIP(address)
    const embeddedIpv4 = family === 6 ? mappedIpv4(address) : undefined
    if (embeddedIpv4 !== undefined) return isConfigured(embeddedIpv4)
    return family !== 0 && configured.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    isConfigured,
    allows(address) {
      const family = isIP(address)
      if (family === 0) return false
      const embeddedIpv4 = family === 6 ? mappedIpv4(address) : undefined
      if (embeddedIpv4 !== undefined) return this.allows(embeddedIpv4)
      if (isConfigured(address)) return true
      if (family === 4) return !blocked4.check(address, 'ipv4')
      return public6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
    },
  }
}

/** True if `openAddressRule` accepts the text as a network. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const maxBits = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits
}

/** `::ffff:10.0.0.1` and `::ffff:a00:1` → `10.0.0.1`. */
function mappedIpv4(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`)
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return undefined
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map(shift => Math.floor(bits / 2 ** shift) % 256).join('.')
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
