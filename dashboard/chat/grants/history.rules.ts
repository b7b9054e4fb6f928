import type { listPastGrants } from '#contract/chat/grants.ts'
import type { Reply } from '#contract/route.ts'

export type PastGrant = Reply<typeof listPastGrants>['items'][number]

/** One event in the history of the grants of a channel. */
export type GrantEvent = {
  id: string
  kind: 'given' | 'changed' | 'revoked'
  at: string
  byName: string | undefined
  grant: PastGrant
}

/**
 * The events of grants, newest first. A change ends a grant and starts the next one at the same time, which is one event.
 * `isComplete`: no older grants follow.
 */
export function grantEvents(grants: readonly PastGrant[], isComplete: boolean): GrantEvent[] {
  const events = grants.flatMap((grant): GrantEvent[] => {
    const ofApplication = grants.filter(({ application }) => application.id === grant.application.id)
    const isReplaced = ofApplication.some(({ grantedAt }) => grantedAt === grant.revokedAt)
    const isChange = ofApplication.some(({ revokedAt }) => revokedAt === grant.grantedAt)
    return [
      {
        id: `${grant.id} given`,
        kind: isChange ? 'changed' : 'given',
        at: grant.grantedAt,
        byName: grant.grantedBy.displayName,
        grant,
      },
      ...(grant.revokedAt !== null && !isReplaced
        ? [
            {
              id: `${grant.id} revoked`,
              kind: 'revoked' as const,
              at: grant.revokedAt,
              byName: grant.revokedBy?.displayName,
              grant,
            },
          ]
        : []),
    ]
  })
  const newestFirst = events.toSorted((one, other) => other.at.localeCompare(one.at))
  // an older grant of the next page may have been revoked after these
  const oldest = grants.at(-1)?.grantedAt ?? ''
  return isComplete ? newestFirst : newestFirst.filter(({ at }) => at >= oldest)
}
