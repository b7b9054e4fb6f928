import type { TProperties, TSchema } from 'typebox'
import { FreeObject, Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/**
 * A route of sign-in. better-auth serves these routes, so they are not operations. This list describes them
 * for the documents; a route that is not listed is not served.
 */
export type SignInRoute = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Below `/api/auth`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Whether the caller must be signed in. */
  readonly caller: 'anyone' | 'signed-in'
  readonly body?: TProperties
  readonly example?: unknown
  readonly query?: TProperties
  readonly reply?: TSchema
  /** The reply starts or replaces a session: it carries the cookie and, for tools, the token. */
  readonly opensSession?: true
  /** Statuses and error codes, in addition to those of every route. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>
  /** Only with OpenID Connect. */
  readonly oidc?: true
}

/** Whether it succeeded. */
export const SignInOutcome = Type.Object({ status: Type.Boolean() })
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
const password = Type.String({ maxLength: 128, description: 'The current password' })
const newPassword = Type.String({
  minLength: 10,
  maxLength: 128,
  description: 'At least 10 characters, and hard to guess',
})
const email = Type.String({ maxLength: 254, description: 'E-mail address' })
const code = Type.String({ description: 'Six digits, or a backup code' })
const trustDevice = Type.Boolean({ description: 'Do not ask this browser for a code for 30 days' })
const Answer = Type.Unsafe<Record<string, unknown>>({
  ...FreeObject,
  description: 'The result of `toJSON()` of the browser’s PublicKeyCredential',
})

/** The person who is signed in. */
export const SignedInUser = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  image: Type.Optional(Nullable(Type.String())),
  twoFactorEnabled: Type.Optional(Nullable(Type.Boolean())),
  createdAt: Time,
  updatedAt: Time,
})
const session = {
  id: Id,
  createdAt: Time,
  expiresAt: Time,
  ipAddress: Type.Optional(Nullable(Type.String())),
  userAgent: Type.Optional(Nullable(Type.String())),
}
/** A sign-in session. */
export const SignInSession = Type.Object({ ...session, userId: Id, updatedAt: Time })
/** A passkey of a person. */
export const Passkey = Type.Object({
  id: Id,
  name: Type.Optional(Nullable(Type.String())),
  deviceType: Type.String(),
  backedUp: Type.Boolean(),
  createdAt: Type.Optional(Nullable(Time)),
})
/** A new session. `token` is for tools; browsers get a cookie only. */
export const SignedIn = Type.Object({
  token: Type.Optional(
    Type.String({
      description: 'The sign-in token, for `Authorization: Bearer`. Browsers do not get it',
    }),
  ),
  user: SignedInUser,
})

/** The reply to a change of the password. */
export const PasswordChanged = Type.Object({
  ...SignedIn.properties,
  personalTokens: Type.Integer({ description: 'The number of personal access tokens that stay valid' }),
})

/** Every route of sign-in below `/api/auth`, apart from the operations. */
export const signInRoutes: readonly SignInRoute[] = [
  {
    name: 'getSignInMethods',
    method: 'GET',
    path: '/methods',
    summary: 'Get the ways to sign in',
    description: '`oidc` is null if OpenID Connect is not configured.',
    caller: 'anyone',
    reply: Type.Object({
      password: Type.Boolean(),
      passkey: Type.Boolean(),
      oidc: Type.Unsafe<{ name: string } | null>({
        type: ['object', 'null'],
        required: ['name'],
        properties: { name: { type: 'string' } },
      }),
    }),
  },
  {
    name: 'signIn',
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Sign in with e-mail and password',
    description:
      'With a second factor the reply is `twoFactorRedirect`, and the challenge is in a cookie. Otherwise exchange ' +
      '`token` for a session token with GET /api/auth/token.',
    caller: 'anyone',
    opensSession: true,
    body: {
      email,
      password,
      rememberMe: optional(
        Type.Boolean({ description: 'False: the session lasts a day instead of 14 days' }),
      ),
    },
    example: { email: 'ada@example.com', password: 'correct horse battery' },
    reply: Type.Object({
      redirect: Type.Optional(Type.Boolean()),
      token: SignedIn.properties.token,
      user: Type.Optional(SignedInUser),
      twoFactorRedirect: Type.Optional(Type.Boolean()),
      twoFactorMethods: Type.Optional(Type.Array(Type.String())),
    }),
    refusals: {
      401: ['INVALID_EMAIL_OR_PASSWORD'],
      403: ['PERSON_LOCKED', 'INVALID_ORIGIN'],
      429: ['ACCOUNT_TEMPORARILY_LOCKED'],
    },
  },
  {
    name: 'signOut',
    method: 'POST',
    path: '/sign-out',
    summary: 'Sign out',
    description: 'Ends the session of the cookie or token. Does nothing without a session.',
    caller: 'anyone',
    reply: Type.Object({ success: Type.Boolean() }),
  },
  {
    name: 'getSignInSession',
    method: 'GET',
    path: '/get-session',
    summary: 'Get the sign-in session',
    description: 'Null without a session. Extends the session, at most once a day.',
    caller: 'anyone',
    reply: Type.Unsafe<{ session: object; user: object } | null>({
      type: ['object', 'null'],
      required: ['session', 'user'],
      properties: { session: SignInSession, user: SignedInUser },
    }),
  },
  {
    name: 'listSignInSessions',
    method: 'GET',
    path: '/list-sessions',
    summary: 'List the sessions of the person',
    description: 'Newest first, at most 100.',
    caller: 'signed-in',
    reply: Type.Array(Type.Object({ ...session, isCurrent: Type.Boolean() })),
  },
  {
    name: 'revokeSignInSession',
    method: 'POST',
    path: '/revoke-session',
    summary: 'End one session',
    description: 'Also succeeds if the person has no such session.',
    caller: 'signed-in',
    body: { id: Id },
    reply: SignInOutcome,
  },
  {
    name: 'revokeOtherSignInSessions',
    method: 'POST',
    path: '/revoke-other-sessions',
    summary: 'End all other sessions',
    description: 'The session of the caller continues.',
    caller: 'signed-in',
    reply: SignInOutcome,
  },
  {
    name: 'revokeSignInSessions',
    method: 'POST',
    path: '/revoke-sessions',
    summary: 'End all sessions',
    description: 'The session of the caller ends too.',
    caller: 'signed-in',
    reply: SignInOutcome,
  },
  {
    name: 'changePassword',
    method: 'POST',
    path: '/change-password',
    summary: 'Change the password',
    description:
      'All other sessions end, and this one is replaced. Personal access tokens stay valid unless `revokePersonalTokens` is true.',
    caller: 'signed-in',
    opensSession: true,
    body: {
      currentPassword: password,
      newPassword,
      revokePersonalTokens: optional(Type.Boolean({ description: 'Also revoke all personal access tokens' })),
    },
    example: { currentPassword: 'correct horse battery', newPassword: 'vierzig blaue Traktoren' },
    reply: PasswordChanged,
    refusals: { 400: ['PASSWORD_REFUSED', 'INVALID_PASSWORD'] },
  },
  {
    name: 'requestPasswordReset',
    method: 'POST',
    path: '/request-password-reset',
    summary: 'Request a mail to reset the password',
    description: 'The reply is the same for every address. The link works once, for an hour.',
    caller: 'anyone',
    body: { email },
    example: { email: 'ada@example.com' },
    reply: Type.Object({ status: Type.Boolean(), message: Type.String() }),
  },
  {
    name: 'resetPassword',
    method: 'POST',
    path: '/reset-password',
    summary: 'Reset the password with the token from the mail',
    description: 'Ends all sessions, personal access tokens, older links and trusted devices.',
    caller: 'anyone',
    body: { token: Type.String({ description: 'From the mail' }), newPassword },
    example: { token: 'Jx0dR7b2mWq9Zt4K', newPassword: 'vierzig blaue Traktoren' },
    reply: SignInOutcome,
    refusals: { 400: ['PASSWORD_REFUSED', 'INVALID_TOKEN'] },
  },
  {
    name: 'enableTwoFactor',
    method: 'POST',
    path: '/two-factor/enable',
    summary: 'Set up one-time codes',
    description: 'The backup codes are shown once. Sign-in asks for codes after the first verify-totp.',
    caller: 'signed-in',
    body: { password },
    example: { password: 'correct horse battery' },
    reply: Type.Object({
      method: Type.Optional(Type.String()),
      totpURI: Type.String({ description: 'For the QR code of an authenticator' }),
      backupCodes: Type.Array(Type.String()),
    }),
    refusals: { 400: ['INVALID_PASSWORD'] },
  },
  {
    name: 'verifyTotp',
    method: 'POST',
    path: '/two-factor/verify-totp',
    summary: 'Verify a one-time code',
    description: 'Confirms the set-up, or completes a sign-in. The challenge is in a cookie.',
    caller: 'anyone',
    opensSession: true,
    body: { code, trustDevice: optional(trustDevice) },
    example: { code: '123456' },
    reply: SignedIn,
    refusals: {
      400: ['TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'],
      401: ['INVALID_CODE', 'INVALID_TWO_FACTOR_COOKIE'],
      429: ['ACCOUNT_TEMPORARILY_LOCKED'],
    },
  },
  {
    name: 'verifyBackupCode',
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    summary: 'Use a backup code',
    description: 'Each code works once.',
    caller: 'anyone',
    opensSession: true,
    body: { code, trustDevice: optional(trustDevice) },
    example: { code: 'wFmyW-n0nRR' },
    reply: SignedIn,
    refusals: { 401: ['INVALID_BACKUP_CODE', 'INVALID_TWO_FACTOR_COOKIE'] },
  },
  {
    name: 'generateBackupCodes',
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    summary: 'Create new backup codes',
    description: 'The old codes stop working.',
    caller: 'signed-in',
    body: { password },
    example: { password: 'correct horse battery' },
    reply: Type.Object({ status: Type.Boolean(), backupCodes: Type.Array(Type.String()) }),
    refusals: { 400: ['INVALID_PASSWORD'] },
  },
  {
    name: 'disableTwoFactor',
    method: 'POST',
    path: '/two-factor/disable',
    summary: 'Turn off one-time codes',
    description: 'After that, the password alone signs in.',
    caller: 'signed-in',
    body: { password },
    example: { password: 'correct horse battery' },
    reply: SignInOutcome,
    refusals: { 400: ['INVALID_PASSWORD'] },
  },
  {
    name: 'getPasskeyRegistrationOptions',
    method: 'GET',
    path: '/passkey/generate-register-options',
    summary: 'Get the options to register a passkey',
    description: 'WebAuthn creation options. Requires a sign-in within the last 24 hours.',
    caller: 'signed-in',
    reply: FreeObject,
    refusals: { 403: ['SESSION_NOT_FRESH'] },
  },
  {
    name: 'registerPasskey',
    method: 'POST',
    path: '/passkey/verify-registration',
    summary: 'Register a passkey',
    description: 'The authenticator must verify the person by PIN, fingerprint or face.',
    caller: 'signed-in',
    body: { response: Answer, name: optional(Type.String({ maxLength: 120 })) },
    example: { response: {}, name: 'Phone' },
    reply: Passkey,
    refusals: {
      400: ['CHALLENGE_NOT_FOUND'],
      401: ['USER_VERIFICATION_REQUIRED'],
      403: ['SESSION_NOT_FRESH'],
    },
  },
  {
    name: 'getPasskeyOptions',
    method: 'GET',
    path: '/passkey/generate-authenticate-options',
    summary: 'Get the options to sign in with a passkey',
    description: 'WebAuthn request options.',
    caller: 'anyone',
    reply: FreeObject,
  },
  {
    name: 'signInWithPasskey',
    method: 'POST',
    path: '/passkey/verify-authentication',
    summary: 'Sign in with a passkey',
    description: 'Replaces the password and the code.',
    caller: 'anyone',
    opensSession: true,
    body: { response: Answer },
    example: { response: {} },
    reply: Type.Object({
      token: SignedIn.properties.token,
      session: SignInSession,
      user: Type.Optional(SignedInUser),
    }),
    refusals: {
      400: ['CHALLENGE_NOT_FOUND'],
      401: ['PASSKEY_NOT_FOUND', 'USER_VERIFICATION_REQUIRED'],
      403: ['PERSON_LOCKED'],
    },
  },
  {
    name: 'listPasskeys',
    method: 'GET',
    path: '/passkey/list-user-passkeys',
    summary: 'List the passkeys of the person',
    description: 'The public keys are not returned.',
    caller: 'signed-in',
    reply: Type.Array(Passkey),
  },
  {
    name: 'renamePasskey',
    method: 'POST',
    path: '/passkey/update-passkey',
    summary: 'Rename a passkey',
    description: 'The name is only a label.',
    caller: 'signed-in',
    body: { id: Id, name: Type.String({ maxLength: 120 }) },
    example: { id: 'cmhz3k8q1a1b2c3d4e5f6g7h8', name: 'Laptop' },
    reply: Type.Object({ passkey: Passkey }),
    refusals: { 404: ['PASSKEY_NOT_FOUND'] },
  },
  {
    name: 'deletePasskey',
    method: 'POST',
    path: '/passkey/delete-passkey',
    summary: 'Delete a passkey',
    description: 'The passkey stops working.',
    caller: 'signed-in',
    body: { id: Id },
    reply: SignInOutcome,
    refusals: { 404: ['PASSKEY_NOT_FOUND'] },
  },
  {
    name: 'signInWithProvider',
    method: 'POST',
    path: '/sign-in/social',
    summary: 'Sign in with OpenID Connect',
    description:
      'If OpenID Connect is configured. Send the browser to `url`; it comes back to `callbackURL` signed in.',
    caller: 'anyone',
    oidc: true,
    body: {
      provider: Type.String({ enum: ['oidc'] }),
      callbackURL: Type.String({ description: 'A path of this server' }),
      errorCallbackURL: optional(Type.String({ description: 'A path of this server' })),
    },
    example: { provider: 'oidc', callbackURL: '/' },
    reply: Type.Object({ url: Type.String(), redirect: Type.Boolean() }),
  },
  {
    name: 'returnFromProvider',
    method: 'GET',
    path: '/callback/:id',
    summary: 'Complete the sign-in with OpenID Connect',
    description:
      'The provider redirects browsers here. Replies with a redirect to `callbackURL` or `errorCallbackURL`.',
    caller: 'anyone',
    oidc: true,
  },
]
