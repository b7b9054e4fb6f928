import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { namesOf, type OwnNames } from '../scrub/secret-keys.ts'
import { secretNamesOf } from './secret-name.sql.ts'

/** How long a process goes on with names that were changed in another one. */
const freshMs = 2_000
const mostRemembered = 10_000

/** The names of fields that organizations want out of their reports, as this process remembers them. */
export type SecretNames = { of(organizationId: string): Promise<OwnNames> }

type Remembered = { names: Promise<OwnNames>; untilMs: number }

export function openSecretNames(database: Database): SecretNames {
  const remembered = new Map<string, Remembered>()
  return {
    of(organizationId) {
      const nowMs = monotonicMs()
      const known = remembered.get(organizationId)
      if (known && known.untilMs > nowMs) return known.names
      if (remembered.size >= mostRemembered) remembered.clear()
      const names = secretNamesOf(database.of(organizationId)).then(namesOf)
      remembered.set(organizationId, { names, untilMs: nowMs + freshMs })
      // what could not be read is read again for the next report
      names.catch(() => remembered.delete(organizationId))
      return names
    },
  }
}
