import Type, { type TProperties, type TSchema } from 'typebox'
import { FreeObject, Id, Nullable, Time } from '../shapes.ts'

/**
 * A route of sign-in. These are served by a library and not by operations of ours: what it takes and answers is
 * described here for the documents, and what is not listed here is not served.
 */
export type SignInRoute = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Below `/api/auth`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Who calls: anybody, or a person who is signed in. */
  readonly caller: 'anyone' | 'signed-in'
  readonly body?: TProperties
  readonly example?: unknown
  readonly query?: TProperties
  readonly reply?: TSchema
  /** The answer begins or replaces a session: it carries the cookie and, for tools, the token. */
  readonly opensSession?: true
  /** Statuses and codes of refusals, beside those that every route has. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>
  /** Only where OpenID Connect is configured. */
  readonly oidc?: true
}

/** Whether it was done. */
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
const trustDevice = Type.Boolean({ description: 'Ask this browser for no code for 30 days' })
const Answer = Type.Unsafe<Record<string, unknown>>({
  ...FreeObject,
  description: 'What `toJSON()` of the browser’s PublicKeyCredential gives',
})

/** The person of a session. */
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
/** A session that was begun. `token` is for tools; browsers get a cookie only. */
export const SignedIn = Type.Object({
  token: Type.Optional(
    Type.String({
      description: 'The sign-in token: send it as `Authorization: Bearer`. Not sent to browsers',
    }),
  ),
  user: SignedInUser,
})

/** The answer to a change of the password. */
export const PasswordChanged = Type.Object({
  ...SignedIn.properties,
  personalTokens: Type.Integer({ description: 'Personal access tokens that stay valid' }),
})

/** Every route of sign-in below `/api/auth`, besides the ones that are operations. */
export const signInRoutes: readonly SignInRoute[] = [
  {
    name: 'getSignInMethods',
    method: 'GET',
    path: '/methods',
    summary: 'Get the ways to sign in',
    description: '`oidc` is null where OpenID Connect is not configured.',
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
      'With a second factor the answer is `twoFactorRedirect`, and the challenge is in a cookie. Otherwise exchange ' +
      '`token` for a session token with GET /api/auth/token.',
    caller: 'anyone',
    opensSession: true,
    body: {
      email,
      password,
      rememberMe: optional(Type.Boolean({ description: 'False: for a day, not for 14 days' })),
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
    description: 'Ends the session of the cookie or token. There is nothing to end without one.',
    caller: 'anyone',
    reply: Type.Object({ success: Type.Boolean() }),
  },
  {
    name: 'getSignInSession',
    method: 'GET',
    path: '/get-session',
    summary: 'Get the sign-in session',
    description: 'Null when nobody is signed in. Prolongs the session, at most once a day.',
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
    description: 'The newest first, at most 100.',
    caller: 'signed-in',
    reply: Type.Array(Type.Object({ ...session, isCurrent: Type.Boolean() })),
  },
  {
    name: 'revokeSignInSession',
    method: 'POST',
    path: '/revoke-session',
    summary: 'End one session',
    description: 'Succeeds also when the person has no such session.',
    caller: 'signed-in',
    body: { id: Id },
    reply: SignInOutcome,
  },
  {
    name: 'revokeOtherSignInSessions',
    method: 'POST',
    path: '/revoke-other-sessions',
    summary: 'End all other sessions',
    description: 'The session that asks goes on.',
    caller: 'signed-in',
    reply: SignInOutcome,
  },
  {
    name: 'revokeSignInSessions',
    method: 'POST',
    path: '/revoke-sessions',
    summary: 'End all sessions',
    description: 'The session that asks ends too.',
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
      revokePersonalTokens: optional(Type.Boolean({ description: 'End all personal access tokens too' })),
    },
    example: { currentPassword: 'correct horse battery', newPassword: 'vierzig blaue Traktoren' },
    reply: PasswordChanged,
    refusals: { 400: ['PASSWORD_REFUSED', 'INVALID_PASSWORD'] },
  },
  {
    name: 'requestPasswordReset',
    method: 'POST',
    path: '/request-password-reset',
    summary: 'Ask for a mail to choose a new password',
    description: 'The answer is the same for every address. The link works once, for an hour.',
    caller: 'anyone',
    body: { email },
    example: { email: 'ada@example.com' },
    reply: Type.Object({ status: Type.Boolean(), message: Type.String() }),
  },
  {
    name: 'resetPassword',
    method: 'POST',
    path: '/reset-password',
    summary: 'Choose a new password with the token of that mail',
    description: 'All sessions, personal access tokens, older links and trusted devices end.',
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
    summary: 'Begin to use one-time codes',
    description: 'The backup codes are shown once. Codes are asked for after the first verify-totp.',
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
    summary: 'Give a one-time code',
    description: 'Confirms that codes work, or completes a sign-in. The challenge is in a cookie.',
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
    summary: 'Give a backup code',
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
    summary: 'Make new backup codes',
    description: 'The former ones do not work any more.',
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
    summary: 'Stop using one-time codes',
    description: 'The password alone signs in from then on.',
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
    description: 'WebAuthn creation options. Needs a sign-in of the last 24 hours.',
    caller: 'signed-in',
    reply: FreeObject,
    refusals: { 403: ['SESSION_NOT_FRESH'] },
  },
  {
    name: 'registerPasskey',
    method: 'POST',
    path: '/passkey/verify-registration',
    summary: 'Register a passkey',
    description: 'The authenticator must check the person: PIN, fingerprint or face.',
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
    description: 'Takes the place of password and code.',
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
    description: 'Their public keys are not needed and not of use.',
    caller: 'signed-in',
    reply: Type.Array(Passkey),
  },
  {
    name: 'renamePasskey',
    method: 'POST',
    path: '/passkey/update-passkey',
    summary: 'Rename a passkey',
    description: 'The name is for people: it does not change what the passkey opens.',
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
    description: 'It signs nobody in any more.',
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
      'Where it is configured. Send the browser to `url`; it comes back to `callbackURL` signed in.',
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
    summary: 'Come back from the OpenID Connect provider',
    description:
      'Browsers come here by themselves. Answers a redirect to `callbackURL` or `errorCallbackURL`.',
    caller: 'anyone',
    oidc: true,
  },
]
