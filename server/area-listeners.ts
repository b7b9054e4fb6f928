import type { Area } from './area.ts'
import type { Config } from './config.ts'
import type { MembershipListener } from './platform/events/membership-listener.ts'
import { noRecipients, type RecipientsResolver } from './platform/events/recipients-resolver.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { Services } from './platform/services.ts'

/** The resolver of the one area that has one. Throws if several have. */
export function recipientsResolverOf(
  areas: readonly { name: string; recipients?: RecipientsResolver }[],
): RecipientsResolver {
  const [first, ...others] = areas.filter(({ recipients }) => recipients !== undefined)
  if (others.length > 0)
    throw new Error(
      `Several areas resolve recipients: ${[first, ...others].map(area => area?.name).join(', ')}`,
    )
  return first?.recipients ?? noRecipients
}

/** Calls the listeners of the areas one after another, in the order of the list. */
export function membershipListenerOf(areas: readonly Pick<Area, 'membershipListener'>[]): MembershipListener {
  const listeners = areas.flatMap(({ membershipListener }) => membershipListener ?? [])
  return {
    async membershipChanged(tx, actor, personId) {
      for (const listener of listeners) await listener.membershipChanged?.(tx, actor, personId)
    },
    async unitLeft(tx, actor, personId, unitId) {
      for (const listener of listeners) await listener.unitLeft?.(tx, actor, personId, unitId)
    },
    async applicationDeleted(tx, actor, applicationId) {
      for (const listener of listeners) await listener.applicationDeleted?.(tx, actor, applicationId)
    },
  }
}

/** The lists of all areas. Each has a name of its own. */
export function personalDataOf(areas: readonly Pick<Area, 'personalData'>[]): PersonalData {
  const parts = areas.flatMap(({ personalData }) => personalData ?? [])
  return {
    async export(db, cipher, person) {
      return Object.assign({}, ...(await Promise.all(parts.map(part => part.export(db, cipher, person)))))
    },
    async erase(tx, person) {
      const erased = {}
      for (const part of parts) Object.assign(erased, await part.erase(tx, person))
      return erased
    },
  }
}

/** The services that the areas add for themselves. */
export function areaServicesOf(areas: readonly Pick<Area, 'services'>[], config: Config): Partial<Services> {
  return Object.assign({}, ...areas.map(({ services }) => services?.(config)))
}
