import type { Tx } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'

const setPlanMode = sql<never, { mode: 'force_custom_plan' | 'auto' }>(
  `select set_config('plan_cache_mode', $mode, $organization::text is not null)`,
)

/**
 * Runs the statement that counts the duplicates of many records. A plan that was cached while the table was empty would read
 * all rows of the organization for each line. The setting covers this statement only, because planning the checks of foreign
 * keys anew for each line would be slow.
 */
export async function countsWithNewPlan(
  tx: Tx,
  counts: Statement<{ n: number }, { lookups: string }>,
  lookups: readonly object[],
): Promise<number[]> {
  const [, rows] = await Promise.all([
    tx.run(setPlanMode, { mode: 'force_custom_plan' }),
    tx.rows(counts, { lookups: JSON.stringify(lookups) }),
    tx.run(setPlanMode, { mode: 'auto' }),
  ])
  return rows.map(({ n }) => n)
}
