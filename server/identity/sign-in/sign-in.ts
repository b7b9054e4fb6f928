import type { IncomingHttpHeaders } from 'node:http'
import type { Rates } from './attempt-limits.ts'
import type { SignInLog } from './log.ts'
import type { People } from './people.ts'
import type { Pool } from './sign-in.sql.ts'

export type OidcSettings = {
  /** The label of the button. */
  name: string
  /** `https://id.example.com`; the discovery document is below it. */
  issuer: string
  clientId: string
  clientSecret: string
  scopes?: string[]
  /** Set only if the administrators of the provider choose all addresses, and it never sends `email_verified`. */
  isEmailTrusted?: boolean
}

export const oidcProviderId = 'oidc'

export type SignInOptions = {
  pool: Pool
  /** The origin for people: `https://patio.example.com`. */
  publicUrl: string
  /** At least 32 random characters. Signs session tokens and encrypts the secrets of one-time codes. */
  secret: string
  /** Former secrets, latest first: they decrypt old values, and sign nothing. */
  formerSecrets?: readonly string[]
  oidc?: OidcSettings
  /** Mails the link with this token to a person, now or later. The reply to the person does not wait for it. */
  mailResetLink(personId: string, token: string): Promise<void>
  log: SignInLog
  /** Called after sessions of this person have ended. Failures are only logged. */
  onSessionsChanged(personId: string): Promise<void>
}

export type SignInService = People & {
  /** Rejects if better-auth refuses its settings; await it before listening. */
  readonly ready: Promise<unknown>
  /** Like `ready`, with the tables of passkeys; loads the code for them. */
  readyWithPasskeys(): Promise<unknown>
  readonly pool: Pool
  readonly publicUrl: string
  readonly rates: Rates
  readonly oidc: { name: string } | null
  readonly sessionCookie: string
  /** better-auth's handler, below `/api/auth`. */
  handle(request: Request): Promise<Response>
  /** The verified session token of a request, or undefined. */
  readCredential(headers: IncomingHttpHeaders): string | undefined
  /** Resolves once the mails that replies did not wait for are sent or have failed. */
  settled(): Promise<void>
}

/** A JSON body, as text and parsed. */
export type Body = { text: string; fields: Record<string, unknown> }
