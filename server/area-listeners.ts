import { noRecipients, type RecipientsResolver } from './platform/events/recipients-resolver.ts'

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
