import type { IncomingHttpHeaders } from 'node:http'
import type { Mail } from '#platform/adapters/mail.ts'
import type { Log } from './log.ts'
import type { People } from './people.ts'
import type { Rates } from './rates.ts'
import type { Pool } from './sign-in.sql.ts'

export type OidcSettings = {
  /** Shown on the button. */
  name: string
  /** `https://id.example.com`; the discovery document stands below it. */
  issuer: string
  clientId: string
  clientSecret: string
  scopes?: string[]
  /** Set only when the provider vouches for addresses but never says `email_verified`. */
  isEmailTrusted?: boolean
}

export const oidcProviderId = 'oidc'

export type SignInOptions = {
  pool: Pool
  /** Origin under which people reach the server: `https://patio.example.com`. */
  publicUrl: string
  /** At least 32 random characters. Signs session tokens and encrypts one-time-code secrets. */
  secret: string
  /** What it was before, the latest first: they decrypt what they encrypted, and sign nothing. */
  formerSecrets?: readonly string[]
  oidc?: OidcSettings
  mail: Mail
  log: Log
  /** Called after sessions of this person have ended. A failure is logged, never shown. */
  onSessionsChanged(personId: string): Promise<void>
}

export type SignIn = People & {
  /** Rejects when better-auth refuses its settings; await it before listening. */
  readonly ready: Promise<unknown>
  readonly pool: Pool
  readonly publicUrl: string
  readonly rates: Rates
  readonly oidc: { name: string } | null
  readonly sessionCookie: string
  /** better-auth itself, below `/api/auth`. */
  handle(request: Request): Promise<Response>
  /** The signed session token of a request, its signature checked, or undefined. */
  readCredential(headers: IncomingHttpHeaders): string | undefined
  /** Resolves once the mails that answers did not wait for are sent or have failed. */
  settled(): Promise<void>
}

/** A JSON body, as it was sent and as it was read. */
export type Body = { text: string; fields: Record<string, unknown> }
