import { reopenErrorGroup } from '#contract/error-reports/tab.ts'
import { command } from '#platform/http/operation.ts'
import { firstOf } from '#platform/required.ts'
import { reopenErrors } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertMayChange } from './error-group.rules.ts'

/** RESOLVED or SILENCED → UNRESOLVED (GRP-14). */
export const reopen = command(reopenErrorGroup, async ({ tx, caller, params, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertMayChange('REOPEN', error)
  audit(error.id, ['state'])
  return showGroup(firstOf(await reopenErrors(tx, caller, [error])))
})
