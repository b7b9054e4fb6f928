import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isId } from '#platform/ids.ts'

/**
 * The form of a personal access token: `patio_pat_`, 43 characters of a 256-bit secret, 24 of the organization's id,
 * and 6 of a checksum over everything before. Secret scanners know it by its beginning, and one that was mistyped or
 * cut is refused without a look into the database.
 */
const beginning = 'patio_pat_'
const shape = /^patio_pat_[0-9A-Za-z]{43}[0-9a-z]{24}[0-9A-Za-z]{6}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shownLength = beginning.length + 6

/** A new token for one organization. */
export function newToken(organizationId: string): string {
  if (!isId(organizationId)) throw new Error('A token names its organization by a CUID')
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  const text = `${beginning}${secret}${organizationId.slice(1)}`
  return `${text}${checksum(text)}`
}

/** The organization that a token names; undefined when it is not a token of ours, as far as its form tells. */
export function organizationOf(token: string): string | undefined {
  if (!shape.test(token) || checksum(token.slice(0, -6)) !== token.slice(-6)) return undefined
  return `c${token.slice(-30, -6)}`
}

/** SHA-256 of a token: what is kept of it. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** What lists show of a token. */
export function prefixOf(token: string): string {
  return token.slice(0, shownLength)
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6)
}

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}
