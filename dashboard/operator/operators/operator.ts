import type { listOperators } from '#contract/identity/operator.ts'
import type { Reply } from '#contract/route.ts'

/** A person who operates this server. */
export type Operator = Reply<typeof listOperators>['items'][number]
