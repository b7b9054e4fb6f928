import { createSecretKey, type KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { limits } from '#contract/limits.ts'
import { now, nowMs } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { lookUp } from '#platform/required.ts'

/** The content of a token: the person, the organization and the sign-in session. */
export type Claims = { personId: string; organizationId: string; sessionId: string; expiresAtMs: number }
export type TokenUse = 'session' | 'stream'

/** Signs and verifies short-lived tokens. */
export type Tokens = {
  sign(use: TokenUse, claims: Omit<Claims, 'expiresAtMs'>): Promise<{ token: string; expiresAt: string }>
  /** Undefined if the token is not ours, for another use, or expired. */
  verify(use: TokenUse, token: string): Promise<Claims | undefined>
}

const issuer = 'patio'
const lifeSeconds = { session: limits.sessionTokenMinutes * 60, stream: limits.streamTokenSeconds }

/**
 * Tokens with HMAC-SHA-256. The first key of the ring signs, and all keys verify, found by `kid`, so that
 * keys can be rotated. The algorithm, the issuer, the type and the use are fixed.
 */
export function openTokens(ring: readonly { kid: string; secret: string }[]): Tokens {
  const keys = new Map<string, KeyObject>(
    ring.map(({ kid, secret }) => [kid, createSecretKey(Buffer.from(secret))]),
  )
  const signing = ring[0]
  if (!signing) throw new Error('No session key')

  return {
    async sign(use, { personId, organizationId, sessionId }) {
      const issuedAt = Math.floor(now().getTime() / 1000)
      const expiresAt = issuedAt + lifeSeconds[use]
      const token = await new SignJWT({ org: organizationId, sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: `patio-${use}+jwt`, kid: signing.kid })
        .setIssuer(issuer)
        .setAudience(use)
        .setSubject(personId)
        .setJti(newId())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(lookUp(keys, signing.kid))
      return { token, expiresAt: new Date(expiresAt * 1000).toISOString() }
    },

    async verify(use, token) {
      try {
        const { payload } = await jwtVerify(token, header => keys.get(header.kid ?? '') ?? failUnknownKey(), {
          algorithms: ['HS256'],
          issuer,
          audience: use,
          typ: `patio-${use}+jwt`,
          requiredClaims: ['sub', 'org', 'sid', 'exp', 'iat'],
          maxTokenAge: lifeSeconds[use],
          // the clock of the issuing node may be a little ahead
          clockTolerance: 5,
          currentDate: now(),
          crit: {},
        })
        const { sub, org, sid, exp, iat } = payload
        if (typeof sub !== 'string' || typeof org !== 'string' || typeof sid !== 'string') return undefined
        if (!isSafeInteger(exp) || !isSafeInteger(iat) || exp - iat > lifeSeconds[use]) return undefined
        if (exp * 1000 <= nowMs()) return undefined
        return { personId: sub, organizationId: org, sessionId: sid, expiresAtMs: exp * 1000 }
      } catch {
        // every invalid token causes the same 401, without details
        return undefined
      }
    },
  }
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function failUnknownKey(): never {
  throw new Error('unknown key')
}
