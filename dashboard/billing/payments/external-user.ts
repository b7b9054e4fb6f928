import type { listExternalUsers } from '#contract/billing/external-users.ts'
import type { Reply } from '#contract/route.ts'

/** A user of an application, and the client that is billed for them. */
export type ExternalUser = Reply<typeof listExternalUsers>['items'][number]
