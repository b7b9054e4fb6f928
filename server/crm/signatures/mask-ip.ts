import { isIPv4, isIPv6 } from 'node:net'

/**
 * Masks an IP address: IPv4 without its last number (`203.0.113.x`), IPv6 with its first three groups (`2001:db8:1::x`).
 * IPv4-mapped IPv6 addresses count as IPv4.
 */
export function maskIp(address: string): string {
  const ip = plainIp(address)
  if (isIPv4(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.x`
  return `${groupsOf(ip).slice(0, 3).join(':')}::x`
}

/** Removes the zone and converts IPv4-mapped IPv6 to IPv4. Throws for an invalid address. */
export function plainIp(address: string): string {
  const [ip = ''] = address.split('%')
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) throw new Error('Not an IP address')
  const groups = groupsOf(ip)
  if (groups.slice(0, 5).some(group => group !== '0') || groups[5] !== 'ffff') return ip
  const [high, low] = groups.slice(6).map(group => Number.parseInt(group, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address in lower case, without leading zeros. */
function groupsOf(ip: string): string[] {
  const whole = ip.replace(/\d+\.\d+\.\d+\.\d+$/, quad => {
    const [a, b, c, d] = quad.split('.').map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [before = '', after] = whole.split('::')
  const split = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [split(before), split(after ?? '')]
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map(group => Number.parseInt(group, 16).toString(16))
}
