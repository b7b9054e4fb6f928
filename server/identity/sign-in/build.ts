import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { newId } from '#platform/ids.ts'
import { openRates } from './attempt-limits.ts'
import { addressHeader } from './bridge.ts'
import { hashPassword, verifyPassword } from './hash.ts'
import { logTo } from './log.ts'
import { oidcPlugin } from './oidc.ts'
import { passwordLength } from './passwords.ts'
import { openPeople } from './people.ts'
import { patioPlugin } from './plugin.ts'
import { resetLinkMinutes } from './reset-mail.ts'
import { credentialReader } from './session.ts'
import { deleteVerifications, poolWithDates, revokePersonalTokens, setEmailVerified } from './sign-in.sql.ts'
import type { SignInOptions, SignInService } from './sign-in.ts'
import { columns, twoFactorSchema } from './tables.ts'

const day = 86_400
const sessionDays = 14

/** Sets up sign-in: passwords, one-time codes, passkeys, reset by mail and, if configured, OpenID Connect. */
export function buildSignIn(options: SignInOptions): SignInService {
  const { pool, secret, log, oidc } = options
  const { origin, protocol, hostname, pathname } = new URL(options.publicUrl)
  if (pathname !== '/') throw new Error('publicUrl must be an origin, without a path')
  if (secret.length < 32) throw new Error('The secret of sign-in must have at least 32 characters')

  async function sessionsChanged(personId: string): Promise<void> {
    try {
      await options.onSessionsChanged(personId)
    } catch (error) {
      log.error({ err: error, personId }, 'ended sessions could not be announced')
    }
  }
  const people = openPeople(pool, sessionsChanged)
  const rates = openRates(pool, secret)
  const background = new Set<Promise<unknown>>()
  // with __Host-, browsers refuse a cookie that a sub-domain or plain http tries to set
  const cookiePrefix = protocol === 'https:' ? '__Host-patio' : 'patio'

  const settings = settingsOf(options, { cookiePrefix, sessionsChanged, background })
  const plugins: BetterAuthPlugin[] = [
    twoFactor({ issuer: `Patio (${hostname})`, schema: twoFactorSchema }),
    ...(oidc ? [oidcPlugin(oidc)] : []),
    patioPlugin({ pool, people, rates, sessionsChanged }),
  ]
  const auth = betterAuth({ ...settings, plugins })
  let withPasskeys: Promise<Pick<typeof auth, 'handler' | '$context'>> | undefined
  // the code that verifies passkeys takes 4 MiB: it is loaded with the first request that needs it
  const loadPasskeys = () =>
    (withPasskeys ??= import('./passkeys.ts').then(({ passkeyPlugin }) =>
      betterAuth({ ...settings, plugins: [passkeyPlugin({ hostname, origin }), ...plugins] }),
    ))

  const sessionCookie = `${cookiePrefix}.session_token`
  return {
    ...people,
    ready: auth.$context,
    pool,
    publicUrl: origin,
    rates,
    oidc: oidc ? { name: oidc.name } : null,
    sessionCookie,
    readyWithPasskeys: async () => (await loadPasskeys()).$context,
    handle: async request => {
      const isForPasskeys = new URL(request.url).pathname.startsWith('/api/auth/passkey/')
      return (isForPasskeys ? await loadPasskeys() : auth).handler(request)
    },
    readCredential: credentialReader(sessionCookie, secret),
    settled: async () => {
      await Promise.allSettled(background)
    },
  }
}

type SettingsParts = {
  cookiePrefix: string
  sessionsChanged(personId: string): Promise<void>
  /** Receives the work that better-auth does after its reply. */
  background: Set<Promise<unknown>>
}

/** The settings of better-auth, except for its plugins. */
function settingsOf(
  { pool, publicUrl, secret, formerSecrets = [], log, mailResetLink }: SignInOptions,
  { cookiePrefix, sessionsChanged, background }: SettingsParts,
) {
  const { origin, protocol } = new URL(publicUrl)
  return {
    appName: 'Patio',
    baseURL: origin,
    basePath: '/api/auth',
    // a list, so that no environment variable can replace the secret; the oldest is version 1
    secrets: [secret, ...formerSecrets].map((value, at) => ({
      version: formerSecrets.length - at + 1,
      value,
    })),
    trustedOrigins: [origin],
    database: poolWithDates(pool),
    telemetry: { enabled: false },
    experimental: { instrumentation: { enabled: false } },
    logger: { level: 'warn', disableColors: true, log: logTo(log) },
    // mount.ts logs errors and replies in Patio's form
    onAPIError: { throw: true, errorURL: `${origin}/sign-in` },
    // rates.ts limits instead: also by account, exactly, by database time and in one statement
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix,
      useSecureCookies: false,
      defaultCookieAttributes: { secure: protocol === 'https:', httpOnly: true, sameSite: 'lax', path: '/' },
      // explicit, because better-auth drops both checks if NODE_ENV is test
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      // the migrations are ours, and a test compares them with what better-auth expects
      database: { generateId: () => newId(), validateSchema: false },
      backgroundTasks: { handler: work => track(background, work) },
    },
    ...columns,
    session: { ...columns.session, expiresIn: sessionDays * day, updateAge: day, freshAge: day },
    account: {
      ...columns.account,
      // the provider's tokens are never used, so they are not stored
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [] },
    },
    verification: { ...columns.verification, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: { hash: hashPassword, verify: verifyPassword },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: resetLinkMinutes * 60,
      sendResetPassword: ({ user, token }) => mailResetLink(user.id, token),
      onPasswordReset: async ({ user }) => {
        await deleteVerifications(pool, user.id)
        await revokePersonalTokens(pool, user.id)
        // ends sessions after the change, also if there are none
        await sessionsChanged(user.id)
        // the mailed link proves the address
        await setEmailVerified(pool, user.id)
      },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const person = await context?.context.internalAdapter.findUserById(session.userId)
            if ((person as { lockedAt?: Date | null } | null | undefined)?.lockedAt) throw locked()
          },
        },
        delete: { after: session => sessionsChanged(session.userId) },
      },
      account: {
        create: { before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }) },
      },
    },
  } satisfies BetterAuthOptions
}

function locked(): APIError {
  return new APIError('FORBIDDEN', {
    code: 'PERSON_LOCKED',
    message: 'This account is locked. Ask the operator of this server.',
  })
}

function track(background: Set<Promise<unknown>>, work: Promise<unknown>): void {
  background.add(work)
  const done = () => background.delete(work)
  work.then(done, done)
}
