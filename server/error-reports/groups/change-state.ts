import type { ErrorState } from '#contract/error-reports/errors.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lookUp } from '#platform/required.ts'
import { addCountChanges } from '../intake/flush.sql.ts'
import { mergeCountChanges } from '../intake/group-count.ts'
import { errorEventHead } from '../intake/intake.events.ts'
import { type ErrorGroupRow, errorsById } from './error-group.access.ts'
import {
  addHistory,
  type SilenceCondition,
  type StateChangeResult,
  setReopened,
  setResolved,
  setSilenced,
} from './error-group-state.sql.ts'

type Actor = Pick<Caller, 'personId'>
/** An error after a change, with the state that it had before. */
type ChangedError = { row: ErrorGroupRow; previousState: ErrorState; at: string; actorName: string }
type StateChange = {
  nextState: ErrorState
  updated: Promise<StateChangeResult[]>
  personId: string
  action: 'RESOLVED' | 'SILENCED' | 'REOPENED'
  note?: string | null
}

/** Updates locked errors, the group counts and the histories. Returns the errors after the change. */
async function changeStates(
  tx: Tx,
  errors: readonly ErrorGroupRow[],
  { nextState, updated, personId, action, note = null }: StateChange,
): Promise<ChangedError[]> {
  const ids = errors.map(({ id }) => id)
  const countChanges = errors.flatMap(({ application_id: applicationId, module, severity, state }) => {
    const key = { applicationId, module, severity }
    return [
      { ...key, state, change: -1 },
      { ...key, state: nextState, change: 1 },
    ]
  })
  const [results, , , rows] = await Promise.all([
    updated,
    addCountChanges(tx, mergeCountChanges(countChanges)),
    addHistory(tx, ids, action, personId, note),
    errorsById(tx, ids),
  ])
  const resultOf = new Map(results.map(result => [result.id, result]))
  const rowOf = new Map(rows.map(row => [row.id, row]))
  return errors.map(({ id, state: previousState }) => {
    const { at, name: actorName } = lookUp(resultOf, id)
    return { row: lookUp(rowOf, id), previousState, at, actorName }
  })
}

/** Resolves locked errors and emits ERROR_RESOLVED for each. */
export async function resolveErrors(
  tx: Tx,
  { personId }: Actor,
  errors: readonly ErrorGroupRow[],
  graceMinutes: number,
): Promise<ErrorGroupRow[]> {
  const changed = await changeStates(tx, errors, {
    nextState: 'RESOLVED',
    action: 'RESOLVED',
    personId,
    updated: setResolved(
      tx,
      errors.map(({ id }) => id),
      personId,
      graceMinutes,
    ),
  })
  return changed.map(({ row, at, actorName }) => {
    const resolvedBy = { id: personId, displayName: actorName }
    emit(
      tx,
      { personId },
      'ERROR_RESOLVED',
      { ...errorEventHead(row), resolvedAt: at, resolvedBy, ticketId: row.ticket_id },
      { applicationId: row.application_id },
    )
    return row
  })
}

/** Silences locked errors and emits ERROR_SILENCED for each. */
export async function silenceErrors(
  tx: Tx,
  { personId }: Actor,
  errors: readonly ErrorGroupRow[],
  condition: SilenceCondition,
): Promise<ErrorGroupRow[]> {
  const { type, until, count } = condition
  const conditionValue = until ?? count
  const changed = await changeStates(tx, errors, {
    nextState: 'SILENCED',
    action: 'SILENCED',
    personId,
    note: conditionValue === null ? type : `${type} ${conditionValue}`,
    updated: setSilenced(
      tx,
      errors.map(({ id }) => id),
      personId,
      condition,
    ),
  })
  return changed.map(({ row, at, actorName }) => {
    const value = row.silenced_until ?? (count === null ? null : String(count))
    emit(
      tx,
      { personId },
      'ERROR_SILENCED',
      {
        ...errorEventHead(row),
        silencedAt: at,
        silencedUntil: row.silenced_until,
        condition: { type, value },
        silencedBy: { id: personId, displayName: actorName },
      },
      { applicationId: row.application_id },
    )
    return row
  })
}

/** Reopens locked errors and emits ERROR_REOPENED for each. */
export async function reopenErrors(
  tx: Tx,
  { personId }: Actor,
  errors: readonly ErrorGroupRow[],
): Promise<ErrorGroupRow[]> {
  const changed = await changeStates(tx, errors, {
    nextState: 'UNRESOLVED',
    action: 'REOPENED',
    personId,
    updated: setReopened(
      tx,
      errors.map(({ id }) => id),
      personId,
    ),
  })
  return changed.map(({ row, previousState, at }) => {
    const data = { ...errorEventHead(row), reason: 'MANUAL', previousState, reopenedAt: at }
    emit(tx, { personId }, 'ERROR_REOPENED', data, { applicationId: row.application_id })
    return row
  })
}
