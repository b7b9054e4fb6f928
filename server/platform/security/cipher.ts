import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { firstOf } from '../required.ts'

/** Encrypts texts that are needed again, such as secrets of receivers. */
export type Cipher = {
  /**
   * Encrypts a text with AES-256-GCM for one purpose, with the first secret: `v1.` and base64url. `place` is
   * where it is stored: it cannot be decrypted elsewhere.
   */
  hide(purpose: string, text: string, place?: string): string
  /** Decrypts a text with any of the secrets. Throws for another purpose or place, and for altered text. */
  reveal(purpose: string, hidden: string, place?: string): string
  /**
   * Lookup keys of a text that do not reveal it: its HMAC-SHA256 in hex, with a key of the purpose from each
   * secret. Store the first.
   */
  digests(purpose: string, text: string): string[]
}

const ivBytes = 12
const tagBytes = 16
const cachedKeyRings = 10_000

/**
 * Each purpose has its own keys, derived from the secrets; the first secret encrypts, all of them decrypt.
 */
export function openCipher(secrets: readonly string[]): Cipher {
  const rings = new Map<string, Buffer[]>()
  function ringOf(salt: string, purpose: string): Buffer[] {
    const name = `${salt} ${purpose}`
    const ring =
      rings.get(name) ?? secrets.map(secret => Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32)))
    // purposes may include organizations, so there can be many; clearing only costs deriving the keys again
    if (rings.size >= cachedKeyRings) rings.clear()
    rings.set(name, ring)
    return ring
  }
  return {
    digests: (purpose, text) =>
      ringOf('patio digest', purpose).map(key => createHmac('sha256', key).update(text).digest('hex')),
    hide(purpose, text, place = '') {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', firstOf(ringOf('patio cipher', purpose)), iv).setAAD(
        Buffer.from(place),
      )
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url')}`
    },
    reveal(purpose, text, place = '') {
      const bytes = Buffer.from(text.slice(3), 'base64url')
      for (const key of ringOf('patio cipher', purpose)) {
        const plain = revealedBy(key, bytes, place)
        if (text.startsWith('v1.') && plain !== undefined) return plain
      }
      throw new Error('This text was not encrypted with our secrets')
    },
  }
}

function revealedBy(key: Buffer, bytes: Buffer, place: string): string | undefined {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    cipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
