import type { ErrorState } from '#contract/error-reports/errors.ts'
import type { Tx } from '#platform/data/database.ts'
import { addCountChanges } from '../intake/flush.sql.ts'
import { mergeCountChanges } from '../intake/group-count.ts'
import { type ErrorGroupRow, errorFor } from './error-group.access.ts'
import { addHistory, type StateChangeResult } from './error-group-state.sql.ts'

type StateChange = {
  nextState: ErrorState
  updated: Promise<StateChangeResult>
  personId: string
  action: 'RESOLVED' | 'SILENCED' | 'REOPENED'
  note?: string | null
}

/** Updates a locked error, the group counts and the history. Returns the error after the change. */
export async function changeState(
  tx: Tx,
  before: ErrorGroupRow,
  { nextState, updated, personId, action, note = null }: StateChange,
): Promise<{ row: ErrorGroupRow; changed: StateChangeResult }> {
  const { application_id: applicationId, module, severity, state } = before
  const key = { applicationId, module, severity }
  const [changed, , , row] = await Promise.all([
    updated,
    addCountChanges(
      tx,
      mergeCountChanges([
        { ...key, state, change: -1 },
        { ...key, state: nextState, change: 1 },
      ]),
    ),
    addHistory(tx, before.id, action, personId, note),
    errorFor(tx, applicationId, before.id),
  ])
  return { row, changed }
}
