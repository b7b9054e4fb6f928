import type { findPeople } from '#contract/identity/operator.ts'
import type { Reply } from '#contract/route.ts'

/** An account as operators see it. */
export type FoundPerson = Reply<typeof findPeople>['items'][number]
