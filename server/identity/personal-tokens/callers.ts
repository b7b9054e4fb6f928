import type { Database } from '#platform/data/database.ts'
import type { Authenticated } from '#platform/http/caller.ts'
import type { Log } from '#platform/log.ts'
import type { Seals } from '#platform/security/seals.ts'
import { callerFrom } from '../sessions/callers.ts'
import { type AccessFreshness, callerIn, type LoadedCaller, openCallerCache } from '../sessions/memory.ts'
import { openUseRecorder } from '../sessions/uses.ts'
import { claimsOf } from './address.ts'
import { digestOf, organizationOf } from './personal-token.format.ts'
import { callerOfToken, callerOfTokenId, setUsed, type TokenRow } from './personal-token.sql.ts'

/** Knows the tools of people by their personal access tokens. */
export type ToolCallers = {
  byToken(token: string): Authenticated
  /** By what addressToken gave. */
  byAddress(address: string): Authenticated
  /** Forgets one person of an organization, or (null) all of it. */
  forget(organizationId: string, personId: string | null): void
}

export type ToolCallersOptions = {
  database: Database
  seals: Seals
  freshness: AccessFreshness
  log: Pick<Log, 'warn'>
}

/** Like the people door's: remembered by credential, forgotten within two seconds of a change of access. */
export function openToolCallers({ database, seals, freshness, log }: ToolCallersOptions): ToolCallers {
  const note = openUseRecorder(database, setUsed, log)
  // what is not of our making costs neither a query nor a place in memory: see below
  const tokens = openCallerCache<LoadedCaller>(freshness, async token =>
    loadedFrom(await database.wide.first(callerOfToken, organizationOf(token)!, digestOf(token))),
  )
  const addresses = openCallerCache<LoadedCaller>(freshness, async address => {
    const { organizationId, tokenId, expires } = claimsOf(seals, address)!
    return loadedFrom(await database.wide.first(callerOfTokenId, organizationId, tokenId, expires))
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
