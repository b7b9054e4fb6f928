import type { ErrorState } from '#contract/error-reports/errors.ts'
import type { Tx } from '#platform/data/database.ts'
import { tally } from '../intake/flush.sql.ts'
import { tallyChanges } from '../intake/group-count.ts'
import { errorFor, type ShownRow } from './error-group.access.ts'
import { addHistory, type Changed } from './error-group-state.sql.ts'

/** How an error gets into another state, by whom, and what is written down of it. */
type Change = {
  to: ErrorState
  set: Promise<Changed>
  by: string
  action: 'RESOLVED' | 'SILENCED' | 'REOPENED'
  note?: string | null
}

/** Brings a locked error into another state: it, the numbers of errors and its history. Answers it as it is then. */
export async function change(
  tx: Tx,
  before: ShownRow,
  { to, set, by, action, note = null }: Change,
): Promise<{ row: ShownRow; changed: Changed }> {
  const { application_id: applicationId, module, severity, state } = before
  const kind = { applicationId, module, severity }
  const [changed, , , row] = await Promise.all([
    set,
    tally(
      tx,
      tallyChanges([
        { ...kind, state, n: -1 },
        { ...kind, state: to, n: 1 },
      ]),
    ),
    addHistory(tx, before.id, action, by, note),
    errorFor(tx, applicationId, before.id),
  ])
  return { row, changed }
}
