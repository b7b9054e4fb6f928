import { silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { emit } from '#platform/emit.ts'
import { changes } from '#platform/serve.ts'
import { headOf } from '../intake/announce.ts'
import { lockError } from './access.ts'
import { change } from './change.ts'
import { assertSilenceable, silenceOf } from './rules.ts'
import { showGroup } from './show.ts'
import { setSilenced } from './states/store.ts'

/** UNRESOLVED → SILENCED, with the event ERROR_SILENCED (GRP-14, GRP-15). */
export const silence = changes(silenceErrorGroup, async ({ tx, caller, params, body, audits }) => {
  const condition = silenceOf(body)
  const error = await lockError(tx, params.id, params.errorId)
  assertSilenceable(error)
  audits(error.id, ['state'])
  const { type, until, count } = condition
  const said = until ?? count
  const { row, changed } = await change(tx, error, {
    ...{
      to: 'SILENCED',
      action: 'SILENCED',
      by: caller.personId,
      note: said === null ? type : `${type} ${said}`,
    },
    set: setSilenced(tx, error.id, caller.personId, condition),
  })
  const value = row.silenced_until ?? (count === null ? null : String(count))
  emit(
    tx,
    caller,
    'ERROR_SILENCED',
    {
      ...headOf(row),
      ...{ silencedAt: changed.at, silencedUntil: row.silenced_until, condition: { type, value } },
      silencedBy: { id: caller.personId, displayName: changed.name },
    },
    { applicationId: row.application_id },
  )
  return showGroup(row)
})
