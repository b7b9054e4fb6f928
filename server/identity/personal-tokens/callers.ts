import type { Database } from '#platform/data/database.ts'
import type { Authenticated } from '#platform/http/caller.ts'
import type { Log } from '#platform/log.ts'
import { required } from '#platform/required.ts'
import type { Seals } from '#platform/security/seals.ts'
import {
  type AccessFreshness,
  callerIn,
  type LoadedCaller,
  openCallerCache,
} from '../sessions/caller-cache.ts'
import { callerFrom } from '../sessions/callers.ts'
import { openUseRecorder } from '../sessions/use-recorder.ts'
import { digestOf, organizationOf } from './personal-token.format.ts'
import { callerOfToken, callerOfTokenId, setUsed, type TokenRow } from './personal-token.sql.ts'
import { claimsOf } from './url-credential.ts'

/** Authenticates tools by personal access tokens. */
export type ToolCallers = {
  byToken(token: string): Authenticated
  /** By a credential from addressToken. */
  byAddress(address: string): Authenticated
  /** Clears the cache of one person in an organization, or (null) of the whole organization. */
  forget(organizationId: string, personId: string | null): void
}

export type ToolCallersOptions = {
  database: Database
  seals: Seals
  freshness: AccessFreshness
  log: Pick<Log, 'warn'>
}

/** Cached by credential, like sessions, and invalidated within two seconds after a change of access. */
export function openToolCallers({ database, seals, freshness, log }: ToolCallersOptions): ToolCallers {
  const note = openUseRecorder(database, setUsed, log)
  // a malformed token is refused without a query or a cache entry: see below
  const tokens = openCallerCache<LoadedCaller>(freshness, async token =>
    loadedFrom(
      await database.crossTenant.first(callerOfToken, {
        organizationId: required(organizationOf(token), 'the organization of a token'),
        digest: digestOf(token),
      }),
    ),
  )
  const addresses = openCallerCache<LoadedCaller>(freshness, async address => {
    const { organizationId, tokenId, expires } = required(
      claimsOf(seals, address),
      'the claims of an address',
    )
    return loadedFrom(
      await database.crossTenant.first(callerOfTokenId, { organizationId, id: tokenId, expires }),
    )
  })

  return {
    byToken: token => (organizationOf(token) === undefined ? undefined : callerIn(tokens.get(token), note)),
    byAddress: address => (claimsOf(seals, address) ? callerIn(addresses.get(address), note) : undefined),
    forget(organizationId, personId) {
      tokens.forget(organizationId, personId)
      addresses.forget(organizationId, personId)
    },
  }
}

function loadedFrom(row: TokenRow | undefined): LoadedCaller | undefined {
  return row && { caller: { ...callerFrom(row), auth: 'personalToken' }, validForMs: row.ends_in_ms }
}
