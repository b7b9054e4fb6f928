import type { Pkcs12 } from '#platform/adapters/pdf-seal.ts'
import type { Cipher } from '#platform/security/cipher.ts'

const purpose = 'seal certificate'

/** Encrypts a PKCS#12 file and its passphrase. The ciphertext is bound to the organization. */
export function hidePkcs12(cipher: Cipher, organizationId: string, { bytes, passphrase }: Pkcs12): string {
  const file = Buffer.from(bytes).toString('base64')
  return cipher.hide(purpose, JSON.stringify({ file, passphrase }), organizationId)
}

/** Decrypts them. */
export function revealPkcs12(cipher: Cipher, organizationId: string, hidden: string): Pkcs12 {
  const { file, passphrase } = JSON.parse(cipher.reveal(purpose, hidden, organizationId))
  return { bytes: Buffer.from(file, 'base64'), passphrase }
}
