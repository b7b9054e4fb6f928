import { monotonicMs } from '#platform/clock.ts'
import type { Authenticated, Caller } from '#platform/http/caller.ts'

/** Whether what is remembered may be believed, and a number that grows with each change that was heard of. */
export type Freshness = { generation(): number; isFresh(): boolean }

/** A caller as loaded by a credential, and for how long that credential is good. */
export type Loaded = { caller: Caller; goodForMs: number }

/** Callers by their credentials, as one process remembers them. */
export type Memory<Found extends Loaded> = {
  /** What is behind a credential: at once when it is remembered, undefined when the credential is not good. */
  recall(credential: string): Found | undefined | Promise<Found | undefined>
  /** Forgets one person or application of an organization, or (null) all of it. */
  forget(organizationId: string, who: string | null): void
}

/** The caller in what was recalled; `note` hears of it. */
export function callerIn(
  found: Loaded | undefined | Promise<Loaded | undefined>,
  note?: (caller: Caller) => void,
): Authenticated {
  if (found instanceof Promise) return found.then(there => callerIn(there, note))
  if (found) note?.(found.caller)
  return found?.caller
}

const most = 50_000
// a net below the change feed, not the way that changes arrive
const keepMs = 60_000

/**
 * Remembers callers: a known one is admitted without a query or a signature check. Changes are heard through
 * `freshness`; while that feed is silent nothing remembered is believed. `load` gets what was found last time.
 */
export function openMemory<Found extends Loaded>(
  freshness: Freshness,
  load: (credential: string, known: Found | undefined) => Promise<Found | undefined>,
): Memory<Found> {
  type Entry = { found: Found; believedUntilMs: number }
  const known = new Map<string, Entry>()
  const byOrganization = new Map<string, Set<string>>()
  const loading = new Map<string, Promise<Found | undefined>>()

  function drop(credential: string): void {
    const entry = known.get(credential)
    if (!entry) return
    known.delete(credential)
    const { organizationId } = entry.found.caller
    const credentialsThere = byOrganization.get(organizationId)
    credentialsThere?.delete(credential)
    if (credentialsThere?.size === 0) byOrganization.delete(organizationId)
  }

  async function loadAndKeep(credential: string): Promise<Found | undefined> {
    const startedAt = monotonicMs()
    const generation = freshness.generation()
    const found = await load(credential, known.get(credential)?.found)
    drop(credential)
    // a change that was heard of while we read may not be in what we read
    if (found && generation === freshness.generation()) {
      if (known.size >= most) drop(known.keys().next().value!)
      known.set(credential, { found, believedUntilMs: startedAt + Math.min(keepMs, found.goodForMs) })
      const { organizationId } = found.caller
      const credentialsThere = byOrganization.get(organizationId) ?? new Set()
      byOrganization.set(organizationId, credentialsThere.add(credential))
    }
    return found
  }

  return {
    recall(credential) {
      const entry = known.get(credential)
      if (entry && monotonicMs() < entry.believedUntilMs && freshness.isFresh()) return entry.found
      let waiting = loading.get(credential)
      if (!waiting) {
        waiting = loadAndKeep(credential).finally(() => loading.delete(credential))
        loading.set(credential, waiting)
      }
      return waiting
    },
    forget(organizationId, who) {
      for (const credential of [...(byOrganization.get(organizationId) ?? [])]) {
        const caller = known.get(credential)?.found.caller
        if (who === null || (caller?.applicationId ?? caller?.personId) === who) drop(credential)
      }
    },
  }
}
