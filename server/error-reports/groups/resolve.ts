import { resolveErrorGroup } from '#contract/error-reports/tab.ts'
import { command } from '#platform/http/operation.ts'
import { firstOf } from '#platform/required.ts'
import { resolveErrors } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertMayChange } from './error-group.rules.ts'

/** UNRESOLVED or SILENCED → RESOLVED (GRP-14). */
export const resolve = command(resolveErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertMayChange('RESOLVE', error)
  audit(error.id, ['state'])
  return showGroup(firstOf(await resolveErrors(tx, caller, [error], body.graceMinutes ?? 0)))
})
