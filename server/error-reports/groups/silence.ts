import { silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { headOf } from '../intake/intake.events.ts'
import { change } from './change-state.ts'
import { lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertSilenceable, silenceOf } from './error-group.rules.ts'
import { setSilenced } from './error-group-state.sql.ts'

/** UNRESOLVED → SILENCED, with the event ERROR_SILENCED (GRP-14, GRP-15). */
export const silence = command(silenceErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const condition = silenceOf(body)
  const error = await lockError(tx, params.id, params.errorId)
  assertSilenceable(error)
  audit(error.id, ['state'])
  const { type, until, count } = condition
  const said = until ?? count
  const { row, changed } = await change(tx, error, {
    to: 'SILENCED',
    action: 'SILENCED',
    by: caller.personId,
    note: said === null ? type : `${type} ${said}`,
    set: setSilenced(tx, error.id, caller.personId, condition),
  })
  const value = row.silenced_until ?? (count === null ? null : String(count))
  emit(
    tx,
    caller,
    'ERROR_SILENCED',
    {
      ...headOf(row),
      silencedAt: changed.at,
      silencedUntil: row.silenced_until,
      condition: { type, value },
      silencedBy: { id: caller.personId, displayName: changed.name },
    },
    { applicationId: row.application_id },
  )
  return showGroup(row)
})
