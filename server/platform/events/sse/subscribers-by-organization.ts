import type { Subscriber } from './subscriber.ts'

/** The open streams of a process, by the organization of whom they belong to, in whatever room they are. */
export type SubscribersByOrganization = {
  /** Adds a member; the answer takes it out again. */
  add(member: Subscriber): () => void
  readonly all: ReadonlySet<Subscriber>
  of(organizationId: string): Iterable<Subscriber>
}

export function openSubscribersByOrganization(): SubscribersByOrganization {
  const all = new Set<Subscriber>()
  const homes = new Map<string, Set<Subscriber>>()
  return {
    all,
    add(member) {
      const { organizationId } = member.caller
      const home = homes.get(organizationId) ?? new Set()
      homes.set(organizationId, home.add(member))
      all.add(member)
      return () => {
        all.delete(member)
        home.delete(member)
        if (home.size === 0) homes.delete(organizationId)
      }
    },
    of: organizationId => homes.get(organizationId) ?? [],
  }
}
