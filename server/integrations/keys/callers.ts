import type { Database } from '#platform/data/database.ts'
import type { Authenticated, Caller } from '#platform/http/caller.ts'
import type { Log } from '#platform/log.ts'
import {
  type AccessFreshness,
  callerIn,
  type LoadedCaller,
  openCallerCache,
  openUseRecorder,
  organizationCaller,
} from '#server/identity/index.ts'
import { digestOf, organizationOf } from './api-key.format.ts'
import { type ApplicationCallerRow, callerOfKey, setUsed } from './api-key.sql.ts'

/** Authenticates external applications by their keys. */
export type ApplicationCallers = {
  byKey(key: string): Authenticated
  /** Drops one application of an organization from the cache, or all of them (null). */
  forget(organizationId: string, applicationId: string | null): void
}

export type ApplicationCallersOptions = {
  database: Database
  freshness: AccessFreshness
  log: Pick<Log, 'warn'>
}

/**
 * Caches callers by credential, like those of people. A change of access takes effect within two seconds. Text without the
 * format of a key costs neither a query nor memory.
 */
export function openApplicationCallers(options: ApplicationCallersOptions): ApplicationCallers {
  const { database, freshness, log } = options
  const note = openUseRecorder(database, setUsed, log)
  const keys = openCallerCache<LoadedCaller>(freshness, async key => {
    const organizationId = organizationOf(key)
    const row =
      organizationId &&
      (await database.crossTenant.first(callerOfKey, { organizationId, digest: digestOf(key) }))
    if (!row) return undefined
    return { caller: callerFrom(row), validForMs: row.ends_in_ms ?? Number.POSITIVE_INFINITY }
  })

  return {
    byKey: key => callerIn(keys.get(key), note),
    forget: keys.forget,
  }
}

function callerFrom(row: ApplicationCallerRow): Caller {
  return {
    ...organizationCaller(row),
    auth: 'apiKey',
    sessionId: row.key_id,
    applicationId: row.application_id,
    scopes: new Set(row.scopes),
    isDisabled: row.status === 'DISABLED',
    origins: new Set(row.origins),
  }
}
