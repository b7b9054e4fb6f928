import type { Caller, Recognised } from '#platform/caller.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/log.ts'
import { type Freshness, openMemory, visitor } from '#server/identity/index.ts'
import { digestOf, organizationOf } from './form.ts'
import { type ApplicationCallerRow, callerOfKey, setUsed } from './store.ts'

/** Knows external applications by their keys. */
export type ApplicationCallers = {
  byKey(key: string): Recognised
  /** Forgets one application of an organization, or (null) all of them. */
  forget(organizationId: string, applicationId: string | null): void
}

export type ApplicationCallersOptions = {
  database: Database
  freshness: Freshness
  log: Pick<Log, 'warn'>
}

type Found = { caller: Caller; goodForMs: number }

const noteEveryMs = 60_000
const mostNoted = 50_000

/**
 * Like the people door's: remembered by credential, forgotten within two seconds of a change of access. What is not of
 * our making costs neither a query nor a place in memory.
 */
export function openApplicationCallers(options: ApplicationCallersOptions): ApplicationCallers {
  const { database, freshness, log } = options
  const notedAtMs = new Map<string, number>()
  const keys = openMemory<Found>(freshness, async key => {
    const organizationId = organizationOf(key)
    const row = organizationId && (await database.wide.first(callerOfKey, organizationId, digestOf(key)))
    if (!row) return undefined
    return { caller: callerFrom(row), goodForMs: row.ends_in_ms ?? Number.POSITIVE_INFINITY }
  })

  /** Writes down that the key is in use, beside the request. */
  function note({ organizationId, sessionId: keyId }: Caller): void {
    const at = monotonicMs()
    if (at - (notedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return
    if (notedAtMs.size >= mostNoted) notedAtMs.clear()
    notedAtMs.set(keyId, at)
    database
      .of(organizationId)
      .first(setUsed, keyId)
      .catch(error => log.warn({ err: error }, 'the last use of a key was not noted'))
  }

  function admit(found: Found | undefined): Caller | undefined {
    if (found) note(found.caller)
    return found?.caller
  }

  return {
    byKey(key) {
      const found = keys.recall(key)
      return found instanceof Promise ? found.then(admit) : admit(found)
    },
    forget: keys.forget,
  }
}

function callerFrom(row: ApplicationCallerRow): Caller {
  return {
    ...visitor(row),
    door: 'application',
    sessionId: row.key_id,
    applicationId: row.application_id,
    scopes: new Set(row.scopes),
    isDisabled: row.status === 'DISABLED',
    origins: new Set(row.origins),
  }
}
