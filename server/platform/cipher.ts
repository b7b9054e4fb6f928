import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Hides texts that are kept and needed again, such as secrets of receivers. */
export type Cipher = {
  /** The text under AES-256-GCM for one purpose, by the first secret: `v1.` and base64url. */
  hide(purpose: string, text: string): string
  /** The text again, hidden by any of the secrets. Throws for what was hidden for another purpose or was changed. */
  reveal(purpose: string, hidden: string): string
}

const ivBytes = 12
const tagBytes = 16

/** Each purpose has keys of its own, derived from the secrets; the first hides, all of them reveal. */
export function openCipher(secrets: readonly string[]): Cipher {
  const rings = new Map<string, Buffer[]>()
  function ringOf(purpose: string): Buffer[] {
    const ring =
      rings.get(purpose) ??
      secrets.map(secret => Buffer.from(hkdfSync('sha256', secret, 'patio cipher', purpose, 32)))
    rings.set(purpose, ring)
    return ring
  }
  return {
    hide(purpose, text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', ringOf(purpose)[0]!, iv)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url')}`
    },
    reveal(purpose, text) {
      const bytes = Buffer.from(text.slice(3), 'base64url')
      for (const key of ringOf(purpose)) {
        const plain = revealedBy(key, bytes)
        if (text.startsWith('v1.') && plain !== undefined) return plain
      }
      throw new Error('This was not hidden by us')
    },
  }
}

function revealedBy(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    cipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
