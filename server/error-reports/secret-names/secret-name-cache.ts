import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { type CustomSecretNames, normalizeSecretNames } from '../scrub/secret-keys.ts'
import { secretNamesOf } from './secret-name.sql.ts'

/** How long a process may use names that another process has changed. */
const maxAgeMs = 2_000
const maxCached = 10_000

/** The secret field names of organizations, cached in this process. */
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
      // a failed read is repeated for the next report
      names.catch(() => cache.delete(organizationId))
      return names
    },
  }
}
