import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isId } from '../ids.ts'

/**
 * The format of one kind of credential: a prefix, 43 characters of a 256-bit secret, 24 characters of the
 * organization's id, and a checksum of 6 characters over everything before. Secret scanners recognize the
 * prefix, and a mistyped or truncated credential is refused without a query.
 */
export type CredentialForm = {
  /** A new credential for one organization. */
  make(organizationId: string): string
  /** The organization in a credential; undefined if its format is not valid. */
  organizationOf(credential: string): string | undefined
  /** The part of a credential that lists show. */
  prefixOf(credential: string): string
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const visibleSecretCharacters = 6

/** The format of credentials with a prefix such as `patio_pat_`. */
export function credentialForm(beginning: string): CredentialForm {
  const shape = new RegExp(
    `^${beginning}[0-9A-Za-z]{${secretLength}}[0-9a-z]{24}[0-9A-Za-z]{${checksumLength}}$`,
  )
  return {
    make(organizationId) {
      if (!isId(organizationId)) throw new Error('A credential needs the CUID of its organization')
      const text = `${beginning}${newSecret()}${organizationId.slice(1)}`
      return `${text}${checksum(text)}`
    },
    organizationOf(credential) {
      if (!shape.test(credential)) return undefined
      const end = credential.length - checksumLength
      if (checksum(credential.slice(0, end)) !== credential.slice(end)) return undefined
      return `c${credential.slice(end - 24, end)}`
    },
    prefixOf: credential => credential.slice(0, beginning.length + visibleSecretCharacters),
  }
}

/** SHA-256 of a credential or of another random secret, which is all that is stored of it. */
export function digestOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex')
}

function newSecret(): string {
  let text = ''
  for (let rest = BigInt(`0x${randomBytes(32).toString('hex')}`); rest > 0n; rest /= 62n)
    text = digits[Number(rest % 62n)] + text
  return text.padStart(secretLength, '0')
}

function checksum(text: string): string {
  let sum = ''
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / 62)) sum = digits[rest % 62] + sum
  return sum.padStart(checksumLength, '0')
}
