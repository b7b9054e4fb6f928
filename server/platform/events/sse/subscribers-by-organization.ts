import type { Subscriber } from './subscriber.ts'

/** The open streams of a process, by the organization of their callers, whatever their topic. */
export type SubscribersByOrganization = {
  /** Adds a subscriber; the returned function removes it. */
  add(subscriber: Subscriber): () => void
  readonly all: ReadonlySet<Subscriber>
  of(organizationId: string): Iterable<Subscriber>
}

export function openSubscribersByOrganization(): SubscribersByOrganization {
  const all = new Set<Subscriber>()
  const byOrganization = new Map<string, Set<Subscriber>>()
  return {
    all,
    add(subscriber) {
      const { organizationId } = subscriber.caller
      const subscribers = byOrganization.get(organizationId) ?? new Set()
      byOrganization.set(organizationId, subscribers.add(subscriber))
      all.add(subscriber)
      return () => {
        all.delete(subscriber)
        subscribers.delete(subscriber)
        if (subscribers.size === 0) byOrganization.delete(organizationId)
      }
    },
    of: organizationId => byOrganization.get(organizationId) ?? [],
  }
}
