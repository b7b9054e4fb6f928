import { CallError } from '#sdk/client.ts'
import { queryClient } from './query-client.ts'
import { forgetTokens, signInRead, signInRequest, signOut } from './session.ts'
import { isSigningInAgain } from './sign-in-again.ts'

/** The ways to sign in to this server. */
export type SignInMethods = { password: boolean; passkey: boolean; oidc: { name: string } | null }

export function readSignInMethods(): Promise<SignInMethods> {
  return signInRead('/methods')
}

/** Signs in with a password. Returns `needs-code` when the account has a second factor. */
export async function signInWithPassword(
  email: string,
  password: string,
): Promise<'signed-in' | 'needs-code'> {
  const reply = await signInRequest<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
  if (reply.twoFactorRedirect) return 'needs-code'
  startSession()
  return 'signed-in'
}

/** Completes a sign-in with six digits of the authenticator, or with a backup code. */
export async function signInWithCode(code: string, trustDevice: boolean): Promise<void> {
  const isTotp = /^\d{6}$/.test(code)
  await signInRequest(isTotp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code', {
    code,
    trustDevice,
  })
  startSession()
}

/**
 * Signs in with a passkey. `conditional` waits until the person picks one in the e-mail field, and returns
 * false when the browser cannot do that or the signal ends it.
 */
export async function signInWithPasskey(
  mediation: 'conditional' | 'optional',
  signal: AbortSignal,
): Promise<boolean> {
  if (mediation === 'conditional' && !(await PublicKeyCredential.isConditionalMediationAvailable?.()))
    return false
  const options = await signInRead<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  )
  if (signal.aborted) return false
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, mediation, signal })
  if (!credential) return false
  await signInRequest('/passkey/verify-authentication', {
    response: (credential as PublicKeyCredential).toJSON(),
  })
  startSession()
  return true
}

/** Whether the browser knows passkeys. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Sends the browser to the provider; it comes back to `to` signed in. */
export async function signInWithProvider(to: string): Promise<void> {
  const { url } = await signInRequest<{ url: string }>('/sign-in/social', {
    provider: 'oidc',
    callbackURL: to,
    errorCallbackURL: '/sign-in',
  })
  location.assign(url)
}

/** How many seconds a person must wait after too many tries; undefined for other errors. */
export function waitSecondsOf(error: unknown): number | undefined {
  if (!(error instanceof CallError) || error.status !== 429) return undefined
  const { retryAfterSeconds } = error.body as { retryAfterSeconds?: number }
  return retryAfterSeconds
}

function startSession(): void {
  forgetTokens()
  // what an earlier person read must not be shown to the next one; a tab that goes on reloads if it is another
  if (!isSigningInAgain()) queryClient.clear()
}

/** Requests the mail to reset a password. The reply is the same for every address. */
export async function requestPasswordReset(email: string): Promise<void> {
  await signInRequest('/request-password-reset', { email })
}

/** Chooses a new password with the token of the mail. All sessions of the person end. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await signInRequest('/reset-password', { token, newPassword })
  forgetTokens()
  queryClient.clear()
}

/** The person of the sign-in cookie; null if nobody is signed in. Extends the session, at most once a day. */
export async function readSignedInPerson(): Promise<{ email: string; name: string } | null> {
  const session = await signInRead<{ user: { email: string; name: string } } | null>('/get-session')
  return session?.user ?? null
}

/** Signs out to continue on this page as another person. */
export async function signOutHere(): Promise<void> {
  await signOut()
  await queryClient.invalidateQueries({ queryKey: ['signed-in-person'] })
}
