import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isId } from '../ids.ts'

/**
 * The form of one kind of credential: its beginning, 43 characters of a 256-bit secret, 24 of the organization's id,
 * and 6 of a checksum over everything before. Secret scanners know it by its beginning, and one that was mistyped or
 * cut is refused without a look into the database.
 */
export type CredentialForm = {
  /** A new credential for one organization. */
  make(organizationId: string): string
  /** The organization that a credential names; undefined when it is none of ours, as far as its form tells. */
  organizationOf(credential: string): string | undefined
  /** What lists show of a credential. */
  prefixOf(credential: string): string
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const visibleSecretCharacters = 6

/** The form whose credentials begin with `beginning`, such as `patio_pat_`. */
export function credentialForm(beginning: string): CredentialForm {
  const shape = new RegExp(
    `^${beginning}[0-9A-Za-z]{${secretLength}}[0-9a-z]{24}[0-9A-Za-z]{${checksumLength}}$`,
  )
  return {
    make(organizationId) {
      if (!isId(organizationId)) throw new Error('A credential names its organization by a CUID')
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

/** SHA-256 of a credential: what is kept of it. */
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
