import { resolveErrorGroup } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { errorEventHead } from '../intake/intake.events.ts'
import { changeState } from './change-state.ts'
import { type ErrorGroupRow, lockError } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { assertResolvable } from './error-group.rules.ts'
import { setResolved } from './error-group-state.sql.ts'

/** UNRESOLVED or SILENCED → RESOLVED (GRP-14). */
export const resolve = command(resolveErrorGroup, async ({ tx, caller, params, body, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  assertResolvable(error)
  audit(error.id, ['state'])
  return showGroup(await resolveLockedError(tx, caller, error, body.graceMinutes ?? 0))
})

/** Resolves a locked error and emits ERROR_RESOLVED. */
export async function resolveLockedError(
  tx: Tx,
  { personId }: Pick<Caller, 'personId'>,
  error: ErrorGroupRow,
  graceMinutes: number,
): Promise<ErrorGroupRow> {
  const { row, changed } = await changeState(tx, error, {
    nextState: 'RESOLVED',
    action: 'RESOLVED',
    personId,
    updated: setResolved(tx, error.id, personId, graceMinutes),
  })
  const resolvedBy = { id: personId, displayName: changed.name }
  emit(
    tx,
    { personId },
    'ERROR_RESOLVED',
    { ...errorEventHead(row), resolvedAt: changed.at, resolvedBy, ticketId: row.ticket_id },
    { applicationId: row.application_id },
  )
  return row
}
