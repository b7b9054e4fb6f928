import type { Cipher } from '#platform/security/cipher.ts'

const purpose = 'mandate account'

/** Encrypts the IBAN of a mandate. The ciphertext is bound to the mandate. */
export function encryptIban(cipher: Cipher, organizationId: string, mandateId: string, iban: string): string {
  return cipher.hide(purpose, iban, `${organizationId}/${mandateId}`)
}

export function decryptIban(
  cipher: Cipher,
  organizationId: string,
  mandateId: string,
  encrypted: string,
): string {
  return cipher.reveal(purpose, encrypted, `${organizationId}/${mandateId}`)
}
