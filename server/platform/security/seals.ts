import { createHmac, hkdfSync } from 'node:crypto'
import { firstOf } from '../required.ts'
import { equalInConstantTime } from './constant-time.ts'

/** Seals texts that leave and come back, so that nobody else can create or change them. */
export type Seals = {
  /** The seal of a text for one purpose: HMAC-SHA-256 in base64url, with the first secret. */
  seal(purpose: string, text: string): string
  /** True if the seal was made for this text and purpose with any of the secrets. Takes constant time. */
  isSealed(purpose: string, text: string, seal: string): boolean
}

/** Each purpose has its own keys, derived from the secrets; the first secret seals, all of them verify. */
export function openSeals(secrets: readonly string[]): Seals {
  const rings = new Map<string, Buffer[]>()
  function ringOf(purpose: string): Buffer[] {
    const ring =
      rings.get(purpose) ??
      secrets.map(secret => Buffer.from(hkdfSync('sha256', secret, 'patio', purpose, 32)))
    rings.set(purpose, ring)
    return ring
  }
  const sealBy = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    seal: (purpose, text) => sealBy(firstOf(ringOf(purpose)), text),
    isSealed(purpose, text, seal) {
      const received = Buffer.from(seal)
      return ringOf(purpose)
        .map(key => Buffer.from(sealBy(key, text)))
        .some(expected => equalInConstantTime(expected, received))
    },
  }
}
