import { resolveErrorGroup } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { headOf } from '../intake/intake.events.ts'
import { change } from './change-state.ts'
import { lockError, type ShownRow } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertResolvable } from './error-group.rules.ts'
import { setResolved } from './error-group-state.sql.ts'

/** UNRESOLVED or SILENCED → RESOLVED, with the event ERROR_RESOLVED (GRP-14). */
export const resolve = command(resolveErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertResolvable(error)
  audit(error.id, ['state'])
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
    to: 'RESOLVED',
    action: 'RESOLVED',
    by: personId,
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
