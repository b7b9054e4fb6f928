import { domainToASCII } from 'node:url'
import type { Cipher } from '#platform/security/cipher.ts'

/**
 * The hashes that an e-mail is looked up by, in hex: an HMAC under a key of the organization, so that no index and no query log
 * contains addresses. Case and the notation of the domain make no difference.
 */
export function emailHashes(cipher: Cipher, organizationId: string, email: string): string[] {
  return cipher.digests(`crm e-mail of ${organizationId}`, emailKey(email))
}

/** The normalized address: trimmed, lower case, with the domain in ASCII. Dots and plus signs are significant. */
export function emailKey(email: string): string {
  const [, local, domain] = /^(.*)@([^@]*)$/s.exec(email.trim().normalize('NFC').toLowerCase()) ?? []
  if (local === undefined || domain === undefined) return email
  return `${local}@${domainToASCII(domain) || domain}`
}
