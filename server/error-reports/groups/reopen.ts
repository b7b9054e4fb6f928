import { reopenErrorGroup } from '#contract/error-reports/tab.ts'
import { emit } from '#platform/emit.ts'
import { changes } from '#platform/serve.ts'
import { headOf } from '../intake/announce.ts'
import { lockError } from './access.ts'
import { change } from './change.ts'
import { assertReopenable } from './rules.ts'
import { showGroup } from './show.ts'
import { setOpen } from './states/store.ts'

/** Resolved or silenced → unresolved, by hand. */
export const reopen = changes(reopenErrorGroup, async ({ tx, caller, params, audits }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertReopenable(error)
  audits(error.id, ['state'])
  const { row, changed } = await change(tx, error, {
    ...{ to: 'UNRESOLVED', action: 'REOPENED', by: caller.personId },
    set: setOpen(tx, error.id, caller.personId),
  })
  const data = { ...headOf(row), reason: 'MANUAL', previousState: error.state, reopenedAt: changed.at }
  emit(tx, caller, 'ERROR_REOPENED', data, { applicationId: row.application_id })
  return showGroup(row)
})
