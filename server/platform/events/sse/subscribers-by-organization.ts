import type { Member } from './subscriber.ts'

/** The open streams of a process, by the organization of whom they belong to, in whatever room they are. */
export type Homes = {
  /** Adds a member; the answer takes it out again. */
  add(member: Member): () => void
  readonly all: ReadonlySet<Member>
  of(organizationId: string): Iterable<Member>
}

export function openHomes(): Homes {
  const all = new Set<Member>()
  const homes = new Map<string, Set<Member>>()
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
