import { silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { command } from '#platform/http/operation.ts'
import { firstOf } from '#platform/required.ts'
import { silenceErrors } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertMayChange, parseSilence } from './error-group.rules.ts'

/** UNRESOLVED → SILENCED (GRP-14, GRP-15). */
export const silence = command(silenceErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const condition = parseSilence(body)
  const error = await lockError(tx, params.id, params.errorId)
  assertMayChange('SILENCE', error)
  audit(error.id, ['state'])
  return showGroup(firstOf(await silenceErrors(tx, caller, [error], condition)))
})
