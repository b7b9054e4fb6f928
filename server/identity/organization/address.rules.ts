import { limits } from '#contract/limits.ts'
import { fold } from '#platform/fold.ts'

/** Paths of the server and the dashboard, and names that would look official. */
const reservedAddresses = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'book',
  'docs',
  'health',
  'help',
  'login',
  'mcp',
  'metrics',
  'new',
  'operator',
  'org',
  'portal',
  'public',
  'settings',
  'sign-in',
  'sign-out',
  'static',
  'support',
  'verify',
  'www',
])

/** Reserved words, and addresses that look like the id of an organization, which leads to it too (ORG-8). */
export function isReservedAddress(address: string): boolean {
  return reservedAddresses.has(address) || /^c[a-z0-9]{24}$/.test(address)
}

/**
 * The addresses for a new organization, best first: from its name, then with a number, last with the end of its
 * id (ORG-7).
 */
export function addressCandidates(name: string, id: string): string[] {
  const words = trimAddress(fold(name).replace(/[^a-z0-9]+/g, '-'), limits.organizationAddress - 4)
  const isUsable = words.length >= limits.organizationAddressMin && !isReservedAddress(words)
  const base = isUsable ? words : trimAddress(`org-${words}`)
  const numbered = Array.from({ length: 8 }, (_, at) => `${base}-${at + 2}`)
  return [base, ...numbered.map(address => trimAddress(address)), `${trimAddress(base, 27)}-${id.slice(-12)}`]
}

function trimAddress(address: string, length: number = limits.organizationAddress): string {
  return address.replace(/^-+/, '').slice(0, length).replace(/-+$/, '')
}
