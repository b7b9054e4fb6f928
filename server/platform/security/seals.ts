import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Seals texts that go out and come back, so that nobody else can make or change them. */
export type Seals = {
  /** The seal of a text for one purpose: HMAC-SHA-256 in base64url, by the first secret. */
  seal(purpose: string, text: string): string
  /** True when the seal was made for this text and purpose by any of the secrets. Takes the same time for every wrong one. */
  isSealed(purpose: string, text: string, seal: string): boolean
}

/** Each purpose has keys of its own, derived from the secrets; the first secret seals, all of them are known. */
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
    seal: (purpose, text) => sealBy(ringOf(purpose)[0]!, text),
    isSealed(purpose, text, seal) {
      const received = Buffer.from(seal)
      return ringOf(purpose)
        .map(key => Buffer.from(sealBy(key, text)))
        .some(expected => received.length === expected.length && timingSafeEqual(received, expected))
    },
  }
}
