import { type ErrorState, errorStates } from '#contract/error-reports/errors.ts'
import type { errorChangeActions, Silence } from '#contract/error-reports/tab.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { fail } from '#platform/fail.ts'
import type { SilenceCondition } from './error-group-state.sql.ts'

export type ErrorChangeAction = (typeof errorChangeActions)[number]
type HasState = { state: ErrorState }

/** The refusal of an action in a state; undefined if the action is possible (GRP-14). */
export function refusalOf(action: ErrorChangeAction, { state }: HasState): ErrorCode | undefined {
  if (action === 'REOPEN') return state === 'UNRESOLVED' ? 'ERROR_ALREADY_OPEN' : undefined
  if (state === 'RESOLVED') return 'ERROR_ALREADY_RESOLVED'
  return action === 'SILENCE' && state === 'SILENCED' ? 'ERROR_ALREADY_SILENCED' : undefined
}

export function assertMayChange(action: ErrorChangeAction, error: HasState): void {
  const refusal = refusalOf(action, error)
  if (refusal) fail(refusal)
}

/** The states in which an action is possible. */
export function statesFor(action: ErrorChangeAction): ErrorState[] {
  return errorStates.filter(state => refusalOf(action, { state }) === undefined)
}

type SilenceFields = { type: Silence; until?: string; count?: number }

/** DATE requires `until` and COUNT requires `count`; no other type allows them. `path` leads to the fields. */
export function parseSilence({ type, until, count }: SilenceFields, path = ''): SilenceCondition {
  if ((type === 'DATE') !== (until !== undefined))
    refuse(`${path}until`, 'is required for DATE and not allowed for other types')
  if ((type === 'COUNT') !== (count !== undefined))
    refuse(`${path}count`, 'is required for COUNT and not allowed for other types')
  // `until` stays a string: Date cannot parse a leap second, PostgreSQL can
  return { type, until: until ?? null, count: count ?? null }
}

/** The parts of a bulk change that depend on its action. Refuses VALIDATION_ERROR. */
export function assertConsistent(body: {
  action: ErrorChangeAction
  ids?: readonly string[]
  filter?: object
  graceMinutes?: number
  silence?: SilenceFields
}): void {
  if ((body.ids === undefined) === (body.filter === undefined))
    refuse('ids', 'is required without a filter and not allowed with one')
  if ((body.action === 'SILENCE') !== (body.silence !== undefined))
    refuse('silence', 'is required for SILENCE and not allowed for other actions')
  if (body.graceMinutes && body.action !== 'RESOLVE') refuse('graceMinutes', 'is only allowed for RESOLVE')
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'required', message }] })
}
