import type { Database } from '#platform/data/database.ts'
import type { Authenticated } from '#platform/http/caller.ts'
import type { Log } from '#platform/log.ts'
import { required } from '#platform/required.ts'
import {
  type AccessFreshness,
  callerIn,
  type LoadedCaller,
  openCallerCache,
} from '../sessions/caller-cache.ts'
import { callerFrom } from '../sessions/callers.ts'
import { openUseRecorder } from '../sessions/use-recorder.ts'
import { digestOf, organizationOf } from './provisioning-token.format.ts'
import { callerOfToken, setUsed } from './provisioning-token.sql.ts'

/** Authenticates identity providers by their tokens. */
export type ProvisioningCallers = {
  byToken(token: string): Authenticated
  /** Clears the cache of one person in an organization, or (null) of the whole organization. */
  forget(organizationId: string, personId: string | null): void
}

export type ProvisioningCallersOptions = {
  database: Database
  freshness: AccessFreshness
  log: Pick<Log, 'warn'>
}

/** Cached by token, like sessions, and invalidated within two seconds after a change of access. */
export function openProvisioningCallers({
  database,
  freshness,
  log,
}: ProvisioningCallersOptions): ProvisioningCallers {
  const note = openUseRecorder(database, setUsed, log)
  const cache = openCallerCache<LoadedCaller>(freshness, async token => {
    const row = await database.crossTenant.first(callerOfToken, {
      organizationId: required(organizationOf(token), 'the organization of a token'),
      digest: digestOf(token),
    })
    return row && { caller: callerFrom(row), validForMs: row.ends_in_ms }
  })
  return {
    byToken: token => (organizationOf(token) === undefined ? undefined : callerIn(cache.get(token), note)),
    forget: cache.forget,
  }
}
