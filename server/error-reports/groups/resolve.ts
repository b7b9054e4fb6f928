import { resolveErrorGroup } from '#contract/error-reports/tab.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { emit } from '#platform/emit.ts'
import { changes } from '#platform/serve.ts'
import { headOf } from '../intake/announce.ts'
import { lockError, type ShownRow } from './access.ts'
import { change } from './change.ts'
import { assertResolvable } from './rules.ts'
import { showGroup } from './show.ts'
import { setResolved } from './states/store.ts'

/** UNRESOLVED or SILENCED → RESOLVED, with the event ERROR_RESOLVED (GRP-14). */
export const resolve = changes(resolveErrorGroup, async ({ tx, caller, params, body, audits }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertResolvable(error)
  audits(error.id, ['state'])
  return showGroup(await resolved(tx, caller, error, body.graceMinutes ?? 0))
})

/** Resolves a locked error, and says so. */
export async function resolved(
  tx: Tx,
  { personId }: Pick<Caller, 'personId'>,
  error: ShownRow,
  graceMinutes: number,
): Promise<ShownRow> {
  const { row, changed } = await change(tx, error, {
    ...{ to: 'RESOLVED', action: 'RESOLVED', by: personId },
    set: setResolved(tx, error.id, personId, graceMinutes),
  })
  const resolvedBy = { id: personId, displayName: changed.name }
  emit(
    tx,
    { personId },
    'ERROR_RESOLVED',
    { ...headOf(row), resolvedAt: changed.at, resolvedBy, ticketId: row.ticket_id },
    { applicationId: row.application_id },
  )
  return row
}
