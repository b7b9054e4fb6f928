import { monotonicMs } from '#platform/clock.ts'
import type { Authenticated, Caller } from '#platform/http/caller.ts'

/** Whether cached values may be used, and a number that grows with each change that arrives. */
export type AccessFreshness = { generation(): number; isFresh(): boolean }

/** A loaded caller, and how long the credential is valid. */
export type LoadedCaller = { caller: Caller; validForMs: number }

/** The callers of one process by credential. */
export type CallerCache<Cached extends LoadedCaller> = {
  /** The caller of a credential: immediately if cached, undefined if the credential is invalid. */
  get(credential: string): Cached | undefined | Promise<Cached | undefined>
  /**
   * Clears the cache of one person or application of an organization, or (null) of the whole organization.
   */
  forget(organizationId: string, callerId: string | null): void
}

/** The caller of a cache entry; `note` is called with it. */
export function callerIn(
  loaded: LoadedCaller | undefined | Promise<LoadedCaller | undefined>,
  note?: (caller: Caller) => void,
): Authenticated {
  if (loaded instanceof Promise) return loaded.then(caller => callerIn(caller, note))
  if (loaded) note?.(loaded.caller)
  return loaded?.caller
}

const maxCallers = 50_000
// a safety net in addition to the change feed
const maxAgeMs = 60_000

/**
 * Caches callers, so that a known one needs no query and no signature check. `freshness` reports changes;
 * while that feed is silent, no cached value is used. `load` receives the previous value.
 */
export function openCallerCache<Cached extends LoadedCaller>(
  freshness: AccessFreshness,
  load: (credential: string, cached: Cached | undefined) => Promise<Cached | undefined>,
): CallerCache<Cached> {
  type Entry = { loaded: Cached; expiresAtMs: number }
  const cached = new Map<string, Entry>()
  const byOrganization = new Map<string, Set<string>>()
  const loading = new Map<string, Promise<Cached | undefined>>()

  function drop(credential: string): void {
    const entry = cached.get(credential)
    if (!entry) return
    cached.delete(credential)
    const { organizationId } = entry.loaded.caller
    const credentials = byOrganization.get(organizationId)
    credentials?.delete(credential)
    if (credentials?.size === 0) byOrganization.delete(organizationId)
  }

  async function loadAndCache(credential: string): Promise<Cached | undefined> {
    const startedAt = monotonicMs()
    const generation = freshness.generation()
    const loaded = await load(credential, cached.get(credential)?.loaded)
    drop(credential)
    // a change that arrived during the read may not be in the result
    if (loaded && generation === freshness.generation()) {
      if (cached.size >= maxCallers) drop(cached.keys().next().value!)
      cached.set(credential, { loaded, expiresAtMs: startedAt + Math.min(maxAgeMs, loaded.validForMs) })
      const { organizationId } = loaded.caller
      const credentials = byOrganization.get(organizationId) ?? new Set()
      byOrganization.set(organizationId, credentials.add(credential))
    }
    return loaded
  }

  return {
    get(credential) {
      const entry = cached.get(credential)
      if (entry && monotonicMs() < entry.expiresAtMs && freshness.isFresh()) return entry.loaded
      let pending = loading.get(credential)
      if (!pending) {
        pending = loadAndCache(credential).finally(() => loading.delete(credential))
        loading.set(credential, pending)
      }
      return pending
    },
    forget(organizationId, callerId) {
      for (const credential of [...(byOrganization.get(organizationId) ?? [])]) {
        const caller = cached.get(credential)?.loaded.caller
        if (callerId === null || (caller?.applicationId ?? caller?.personId) === callerId) drop(credential)
      }
    },
  }
}
