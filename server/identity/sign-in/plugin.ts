import type { BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  sessionMiddleware,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import type { Rates } from './attempt-limits.ts'
import { type Owner, weaknessOf } from './passwords.ts'
import type { People } from './people.ts'
import {
  countPersonalTokens,
  deleteVerifications,
  findOwner,
  listSessions,
  type Pool,
  revokePersonalTokens,
} from './sign-in.sql.ts'

const longestName = 120
const totpReuseSeconds = 120
const socialFields = new Set(['provider', 'callbackURL', 'errorCallbackURL'])

type PluginOptions = {
  pool: Pool
  people: People
  rates: Rates
  sessionsChanged(personId: string): Promise<void>
}

/**
 * Additions to better-auth: strong passwords, one-time codes that work only once, passkeys that always verify
 * their user, and session lists without tokens.
 */
export function patioPlugin(options: PluginOptions) {
  return {
    id: 'patio',
    endpoints: sessionEndpoints(options),
    hooks: { before: hooksBefore(options), after: hooksAfter(options) },
  } satisfies BetterAuthPlugin
}

/** The lists of sessions and their ends. The keys are better-auth's, so these endpoints replace its own. */
function sessionEndpoints({ pool, people }: PluginOptions) {
  return {
    listSessions: createAuthEndpoint(
      '/list-sessions',
      { method: 'GET', use: [sessionMiddleware] },
      async ctx => {
        const { session } = ctx.context.session
        const listed = await listSessions(pool, session.userId)
        return ctx.json(listed.map(row => ({ ...row, isCurrent: row.id === session.id })))
      },
    ),
    revokeSession: createAuthEndpoint(
      '/revoke-session',
      { method: 'POST', use: [sessionMiddleware] },
      async ctx => {
        const { session } = ctx.context.session
        const id: unknown = ctx.body?.id
        if (typeof id !== 'string') throw invalid('id', 'Send the id of a session.')
        await people.endSessions(session.userId, { only: id })
        if (id === session.id) deleteSessionCookie(ctx)
        return ctx.json({ status: true })
      },
    ),
    revokeSessions: createAuthEndpoint(
      '/revoke-sessions',
      { method: 'POST', use: [sessionMiddleware] },
      async ctx => {
        await people.endSessions(ctx.context.session.session.userId)
        deleteSessionCookie(ctx)
        return ctx.json({ status: true })
      },
    ),
    revokeOtherSessions: createAuthEndpoint(
      '/revoke-other-sessions',
      { method: 'POST', use: [sessionMiddleware] },
      async ctx => {
        const { session } = ctx.context.session
        await people.endSessions(session.userId, { except: session.id })
        return ctx.json({ status: true })
      },
    ),
  }
}

type Hooks = NonNullable<BetterAuthPlugin['hooks']>

/** Checks before better-auth handles a request: of new passwords, one-time codes, redirects and names of passkeys. */
function hooksBefore({ pool, rates }: PluginOptions): NonNullable<Hooks['before']> {
  return [
    {
      matcher: ({ path }) => path === '/reset-password',
      handler: createAuthMiddleware(async ctx => {
        const token: unknown = ctx.body?.token
        const link =
          typeof token === 'string' &&
          (await ctx.context.internalAdapter.findVerificationValue(`reset-password:${token}`))
        // an invalid link is refused as such, after this check
        await refuseWeak(ctx.body?.newPassword, (link && (await findOwner(pool, link.value))) || nobody)
      }),
    },
    {
      matcher: ({ path }) => path === '/change-password',
      handler: createAuthMiddleware(async ctx => {
        const session = await getSessionFromCtx(ctx)
        if (!session) return
        const revokes: unknown = ctx.body?.revokePersonalTokens ?? false
        if (typeof revokes !== 'boolean') throw invalid('revokePersonalTokens', 'Send true or false.')
        await refuseWeak(ctx.body?.newPassword, (await findOwner(pool, session.user.id)) ?? nobody)
        return { context: { body: { ...ctx.body, revokeOtherSessions: true } } }
      }),
    },
    {
      matcher: ({ path }) => path === '/two-factor/verify-totp',
      handler: createAuthMiddleware(async ctx => {
        const challenge = ctx.context.createAuthCookie('two_factor')
        const identifier = await ctx.getSignedCookie(challenge.name, ctx.context.secret)
        const pending = identifier && (await ctx.context.internalAdapter.findVerificationValue(identifier))
        if (!pending || typeof ctx.body?.code !== 'string') return
        // a used code is spent, in case somebody saw it
        if (await rates.isFirstUse(`totp ${pending.value} ${ctx.body.code}`, totpReuseSeconds)) return
        throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
      }),
    },
    {
      matcher: ({ path }) => path === '/sign-in/social',
      handler: createAuthMiddleware(async ctx => {
        // nothing else may affect the redirect, and ID tokens from elsewhere are not accepted
        const unknown = Object.keys(ctx.body ?? {}).find(field => !socialFields.has(field))
        if (unknown) throw invalid(unknown, 'This field does not exist.')
      }),
    },
    {
      matcher: ({ path }) => path === '/passkey/verify-registration' || path === '/passkey/update-passkey',
      handler: createAuthMiddleware(async ctx => {
        const name: unknown = ctx.body?.name
        if (typeof name === 'string' && name.length > longestName) {
          throw invalid('name', `Use at most ${longestName} characters.`)
        }
      }),
    },
  ]
}

/** Effects of a changed password, and the requirement that a passkey verifies its user. */
function hooksAfter({ pool, sessionsChanged }: PluginOptions): NonNullable<Hooks['after']> {
  return [
    {
      matcher: ({ path }) => path === '/change-password',
      handler: createAuthMiddleware(async ctx => {
        const userId = ctx.context.newSession?.user.id
        if (!userId) return
        await deleteVerifications(pool, userId)
        if (ctx.body?.revokePersonalTokens === true) {
          await revokePersonalTokens(pool, userId)
          await sessionsChanged(userId)
        }
        const personalTokens = await countPersonalTokens(pool, userId)
        return ctx.json({ ...(ctx.context.returned as object), personalTokens })
      }),
    },
    {
      matcher: ({ path }) => path === '/passkey/generate-authenticate-options',
      handler: createAuthMiddleware(async ctx => {
        const options = ctx.context.returned
        if (options instanceof Error || typeof options !== 'object') return
        return ctx.json({ ...options, userVerification: 'required' })
      }),
    },
  ]
}

const nobody: Owner = { email: '', names: [] }

async function refuseWeak(password: unknown, owner: Owner): Promise<void> {
  if (typeof password !== 'string') return
  const weakness = await weaknessOf(password, owner)
  if (!weakness) return
  throw new APIError('BAD_REQUEST', {
    code: 'PASSWORD_REFUSED',
    message: weakness.message,
    details: [{ path: 'newPassword', ...weakness }],
  })
}

function invalid(path: string, message: string): APIError {
  return new APIError('BAD_REQUEST', {
    code: 'VALIDATION_ERROR',
    message,
    details: [{ path, code: 'INVALID', message }],
  })
}
