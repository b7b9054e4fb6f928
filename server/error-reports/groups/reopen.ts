import { reopenErrorGroup } from '#contract/error-reports/tab.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { errorEventHead } from '../intake/intake.events.ts'
import { changeState } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertReopenable } from './error-group.rules.ts'
import { setReopened } from './error-group-state.sql.ts'

/** RESOLVED or SILENCED → UNRESOLVED (GRP-14). */
export const reopen = command(reopenErrorGroup, async ({ tx, caller, params, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertReopenable(error)
  audit(error.id, ['state'])
  const { row, changed } = await changeState(tx, error, {
    nextState: 'UNRESOLVED',
    action: 'REOPENED',
    personId: caller.personId,
    updated: setReopened(tx, error.id, caller.personId),
  })
  const data = {
    ...errorEventHead(row),
    reason: 'MANUAL',
    previousState: error.state,
    reopenedAt: changed.at,
  }
  emit(tx, caller, 'ERROR_REOPENED', data, { applicationId: row.application_id })
  return showGroup(row)
})
