import type { listMembers } from '#contract/identity/organization.ts'
import type { Reply } from '#contract/route.ts'

/** A member as the list shows it. */
export type Member = Reply<typeof listMembers>['items'][number]
