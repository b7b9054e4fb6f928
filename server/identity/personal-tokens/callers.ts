import type { Caller, Recognised } from '#platform/caller.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/log.ts'
import type { Seals } from '#platform/seal.ts'
import { callerFrom } from '../sessions/callers.ts'
import { type Freshness, openMemory } from '../sessions/memory.ts'
import { claimsOf } from './address.ts'
import { digestOf, organizationOf } from './form.ts'
import { callerOfToken, callerOfTokenId, setUsed, type TokenRow } from './store.ts'

/** Knows the tools of people by their personal access tokens. */
export type ToolCallers = {
  byToken(token: string): Recognised
  /** By what addressToken gave. */
  byAddress(address: string): Recognised
  /** Forgets one person of an organization, or (null) all of it. */
  forget(organizationId: string, personId: string | null): void
}

export type ToolCallersOptions = {
  database: Database
  seals: Seals
  freshness: Freshness
  log: Pick<Log, 'warn'>
}

type Found = { caller: Caller; goodForMs: number }

const noteEveryMs = 60_000
const mostNoted = 50_000

/** Like the people door's: remembered by credential, forgotten within two seconds of a change of access. */
export function openToolCallers({ database, seals, freshness, log }: ToolCallersOptions): ToolCallers {
  const notedAtMs = new Map<string, number>()

  // what is not of our making costs neither a query nor a place in memory: see below
  const tokens = openMemory<Found>(freshness, async token =>
    foundIn(await database.wide.first(callerOfToken, organizationOf(token)!, digestOf(token))),
  )
  const addresses = openMemory<Found>(freshness, async address => {
    const { organizationId, tokenId, expires } = claimsOf(seals, address)!
    return foundIn(await database.wide.first(callerOfTokenId, organizationId, tokenId, expires))
  })

  /** Writes down that the token is in use, beside the request. */
  function note({ organizationId, sessionId: tokenId }: Caller): void {
    const at = monotonicMs()
    if (at - (notedAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return
    if (notedAtMs.size >= mostNoted) notedAtMs.clear()
    notedAtMs.set(tokenId, at)
    database
      .of(organizationId)
      .first(setUsed, tokenId)
      .catch(error => log.warn({ err: error }, 'the last use of a token was not noted'))
  }

  function admit(found: Found | undefined): Caller | undefined {
    if (found) note(found.caller)
    return found?.caller
  }

  function recalled(found: Found | undefined | Promise<Found | undefined>): Recognised {
    return found instanceof Promise ? found.then(admit) : admit(found)
  }

  return {
    byToken: token => (organizationOf(token) === undefined ? undefined : recalled(tokens.recall(token))),
    byAddress: address => (claimsOf(seals, address) ? recalled(addresses.recall(address)) : undefined),
    forget(organizationId, personId) {
      tokens.forget(organizationId, personId)
      addresses.forget(organizationId, personId)
    },
  }
}

function foundIn(row: TokenRow | undefined): Found | undefined {
  return row && { caller: { ...callerFrom(row), door: 'tool' }, goodForMs: row.ends_in_ms }
}
