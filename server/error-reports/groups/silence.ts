import { silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { errorEventHead } from '../intake/intake.events.ts'
import { changeState } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertSilenceable, parseSilence } from './error-group.rules.ts'
import { setSilenced } from './error-group-state.sql.ts'

/** UNRESOLVED → SILENCED (GRP-14, GRP-15). */
export const silence = command(silenceErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const condition = parseSilence(body)
  const error = await lockError(tx, params.id, params.errorId)
  assertSilenceable(error)
  audit(error.id, ['state'])
  const { type, until, count } = condition
  const conditionValue = until ?? count
  const { row, changed } = await changeState(tx, error, {
    nextState: 'SILENCED',
    action: 'SILENCED',
    personId: caller.personId,
    note: conditionValue === null ? type : `${type} ${conditionValue}`,
    updated: setSilenced(tx, error.id, caller.personId, condition),
  })
  const value = row.silenced_until ?? (count === null ? null : String(count))
  emit(
    tx,
    caller,
    'ERROR_SILENCED',
    {
      ...errorEventHead(row),
      silencedAt: changed.at,
      silencedUntil: row.silenced_until,
      condition: { type, value },
      silencedBy: { id: caller.personId, displayName: changed.name },
    },
    { applicationId: row.application_id },
  )
  return showGroup(row)
})
