import { monotonicMs } from '#platform/clock.ts'
import type { Authenticated, Caller } from '#platform/http/caller.ts'

/** Whether what is remembered may be believed, and a number that grows with each change that was heard of. */
export type AccessFreshness = { generation(): number; isFresh(): boolean }

/** A caller as loaded by a credential, and for how long that credential is good. */
export type LoadedCaller = { caller: Caller; validForMs: number }

/** Callers by their credentials, as one process remembers them. */
export type CallerCache<Cached extends LoadedCaller> = {
  /** What is behind a credential: at once when it is remembered, undefined when the credential is not good. */
  get(credential: string): Cached | undefined | Promise<Cached | undefined>
  /** Forgets one person or application of an organization, or (null) all of it. */
  forget(organizationId: string, callerId: string | null): void
}

/** The caller in what was recalled; `note` hears of it. */
export function callerIn(
  loaded: LoadedCaller | undefined | Promise<LoadedCaller | undefined>,
  note?: (caller: Caller) => void,
): Authenticated {
  if (loaded instanceof Promise) return loaded.then(caller => callerIn(caller, note))
  if (loaded) note?.(loaded.caller)
  return loaded?.caller
}

const maxCallers = 50_000
// a net below the change feed, not the way that changes arrive
const maxAgeMs = 60_000

/**
 * Remembers callers: a known one is admitted without a query or a signature check. Changes are heard through
 * `freshness`; while that feed is silent nothing remembered is believed. `load` gets what was found last time.
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
    // a change that was heard of while we read may not be in what we read
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
