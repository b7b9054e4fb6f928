import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import type { CrossTenantDb } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { countWaiting } from './review-queue/submission.sql.ts'

/** The part of an operator in the overview: the review queue of all organizations (HOM-2). */
export async function reviewOverview(
  db: CrossTenantDb,
  caller: Caller,
): Promise<Pick<Overview, 'submissions'>> {
  if (!caller.isOperator) return {}
  return { submissions: Math.min(await countWaiting(db), limits.overviewCount) }
}
