import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { type CustomSecretNames, normalizeSecretNames } from '../scrub/secret-keys.ts'
import { secretNamesOf } from './secret-name.sql.ts'

/** How long a process goes on with names that were changed in another one. */
const maxAgeMs = 2_000
const maxCached = 10_000

/** The names of fields that organizations want out of their reports, as this process remembers them. */
export type SecretNameCache = { of(organizationId: string): Promise<CustomSecretNames> }

type CachedNames = { names: Promise<CustomSecretNames>; untilMs: number }

export function createSecretNameCache(database: Database): SecretNameCache {
  const cache = new Map<string, CachedNames>()
  return {
    of(organizationId) {
      const nowMs = monotonicMs()
      const cached = cache.get(organizationId)
      if (cached && cached.untilMs > nowMs) return cached.names
      if (cache.size >= maxCached) cache.clear()
      const names = secretNamesOf(database.of(organizationId)).then(normalizeSecretNames)
      cache.set(organizationId, { names, untilMs: nowMs + maxAgeMs })
      // what could not be read is read again for the next report
      names.catch(() => cache.delete(organizationId))
      return names
    },
  }
}
