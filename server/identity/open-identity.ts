import type pg from 'pg'
import type { Mail } from '#platform/adapters/mail.ts'
import type { Database } from '#platform/data/database.ts'
import type { Authenticators } from '#platform/http/caller.ts'
import type { ServedOperation } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { openSeals } from '#platform/security/seals.ts'
import { openToolCallers } from './personal-tokens/callers.ts'
import { openProvisioningCallers, type ProvisioningCallers } from './provisioning/callers.ts'
import type { AccessFreshness } from './sessions/caller-cache.ts'
import { type Callers, openCallers, sessionCaller } from './sessions/callers.ts'
import { sessionOperations } from './sessions/session.routes.ts'
import { forgetPerson } from './sessions/session.sql.ts'
import { openTokens, type Tokens } from './sessions/tokens.ts'
import { mailResetLink } from './sign-in/reset-mail.ts'
import { sessionOf } from './sign-in/session.ts'
import type { OidcSettings, SignInService } from './sign-in/sign-in.ts'

/** Sign-in, tokens and authentication of one process. */
export type Identity = {
  readonly signIn: SignInService
  readonly callers: Callers
  readonly tokens: Tokens
  readonly provisioning: ProvisioningCallers
  readonly recognise: Authenticators
  /** The operations of the area that need the keys of the process. */
  readonly sessionOperations: ServedOperation[]
}

export type IdentityOptions = {
  database: Database
  pool: pg.Pool
  publicUrl: string
  signInSecret: string
  formerSecrets?: readonly string[]
  sessionKeys: readonly { kid: string; secret: string }[]
  oidc?: OidcSettings
  mail: Mail
  log: Log
  freshness: AccessFreshness
}

/** Opens sign-in, tokens and the cache of callers. */
export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  // loaded only here: it is a third of an API process, and workers do not need it
  const { buildSignIn } = await import('./sign-in/build.ts')
  const { database, pool, publicUrl, mail, log, oidc, freshness } = options
  const tokens = openTokens(options.sessionKeys)
  const people = openCallers(database, tokens, freshness)
  const seals = openSeals(options.sessionKeys.map(({ secret }) => secret))
  const tools = openToolCallers({ database, seals, freshness, log })
  const provisioning = openProvisioningCallers({ database, freshness, log })
  const callers: Callers = {
    ...people,
    forget(organizationId, personId) {
      people.forget(organizationId, personId)
      tools.forget(organizationId, personId)
      provisioning.forget(organizationId, personId)
    },
  }
  const cipher = openCipher([options.signInSecret, ...(options.formerSecrets ?? [])])
  const mailer = { database, mail, log, publicUrl, services: { cipher, publicUrl } }
  const signIn = buildSignIn({
    pool,
    publicUrl,
    secret: options.signInSecret,
    formerSecrets: options.formerSecrets ?? [],
    ...(oidc && { oidc }),
    mailResetLink: (personId, token) => mailResetLink(mailer, personId, token),
    log,
    async onSessionsChanged(personId) {
      for (const row of await database.crossTenant.rows(forgetPerson, { personId, idPrefix: newId() }))
        callers.forget(row.organization_id, personId)
    },
  })
  return {
    signIn,
    callers,
    provisioning,
    tokens,
    recognise: {
      person: callers.person,
      stream: callers.stream,
      tool: tools.byToken,
      toolByAddress: tools.byAddress,
      async session(headers) {
        const session = await sessionOf(signIn, headers)
        return session ? sessionCaller(session.sessionId, session.personId) : undefined
      },
      // provided by the integrations area: see server/api.ts
      application: () => undefined,
    },
    sessionOperations: sessionOperations(tokens),
  }
}
