import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { passkeySchema } from './tables.ts'

/**
 * better-auth's passkeys. One replaces password and code only if the authenticator has verified its user (PIN, finger,
 * face).
 */
export function passkeyPlugin({ hostname, origin }: { hostname: string; origin: string }) {
  return passkey({
    rpID: hostname,
    rpName: 'Patio',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
    registration: {
      afterVerification: ({ verification }) =>
        assertUserVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) =>
        assertUserVerified(verification.authenticationInfo.userVerified),
    },
    schema: passkeySchema,
  })
}

function assertUserVerified(isVerified: boolean | undefined): void {
  if (isVerified) return
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_VERIFICATION_REQUIRED',
    message: 'Use a passkey with a PIN, fingerprint or face check.',
  })
}
