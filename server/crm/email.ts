import { domainToASCII } from 'node:url'
import type { Cipher } from '#platform/security/cipher.ts'

/**
 * What an e-mail is looked up by, in hex: an HMAC under a key of the organization, so that addresses stand in no index and in
 * no query log. Two addresses are the same when they differ in capitals only, or in how their domain is written.
 */
export function emailHashes(cipher: Cipher, organizationId: string, email: string): string[] {
  return cipher.digests(`crm e-mail of ${organizationId}`, emailKey(email))
}

/** The address as it is compared: no spaces, small letters, the domain in ASCII. Dots and plus signs count. */
export function emailKey(email: string): string {
  const [, local, domain] = /^(.*)@([^@]*)$/s.exec(email.trim().normalize('NFC').toLowerCase()) ?? []
  if (local === undefined || domain === undefined) return email
  return `${local}@${domainToASCII(domain) || domain}`
}
