import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { equalInConstantTime } from '#platform/security/constant-time.ts'
import { findLiveSession } from './sign-in.sql.ts'
import type { SignInService } from './sign-in.ts'

/** The caller's valid session, of a person who is not locked. */
export type LiveSession = { sessionId: string; personId: string; expiresAt: Date }

/**
 * The session of a request, from `Authorization: Bearer <token of the sign-in reply>` or the session cookie.
 * Null without a valid one. Takes one query, or none if the signature is wrong.
 */
export async function sessionOf(
  signIn: SignInService,
  headers: IncomingHttpHeaders,
): Promise<LiveSession | null> {
  const signed = signIn.readCredential(headers)
  if (!signed) return null
  return (await findLiveSession(signIn.pool, tokenOf(signed))) ?? null
}

/**
 * Reads the signed session token of a request: the bearer token if it has our signature, else the cookie.
 * Other bearer tokens, such as session JWTs, are ignored.
 */
export function credentialReader(cookieName: string, secret: string) {
  return function readCredential(headers: IncomingHttpHeaders): string | undefined {
    const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (bearer && isSigned(bearer, secret)) return bearer
    const cookie = readCookie(headers.cookie, cookieName)
    return cookie && isSigned(cookie, secret) ? cookie : undefined
  }
}

/** The decoded value of the cookie. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at === -1 || pair.slice(0, at).trim() !== name) continue
    try {
      return decodeURIComponent(pair.slice(at + 1).trim())
    } catch {
      return undefined
    }
  }
  return undefined
}

// better-auth's format: token, dot, HMAC-SHA256 of the token in base64
function isSigned(signed: string, secret: string): boolean {
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return false
  const expected = createHmac('sha256', secret).update(signed.slice(0, dot)).digest()
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  return equalInConstantTime(expected, given)
}

/** The token without its signature, which base64 can spell in several ways. */
export function tokenOf(signed: string): string {
  return signed.slice(0, signed.lastIndexOf('.'))
}
