import type { ErrorState } from '#contract/error-reports/errors.ts'
import type { Silence } from '#contract/error-reports/tab.ts'
import { fail } from '#platform/fail.ts'

type HasState = { state: ErrorState }

/** From UNRESOLVED or SILENCED. */
export function assertResolvable({ state }: HasState): void {
  if (state === 'RESOLVED') fail('ERROR_ALREADY_RESOLVED')
}

/** From UNRESOLVED only. */
export function assertSilenceable({ state }: HasState): void {
  if (state === 'RESOLVED') fail('ERROR_ALREADY_RESOLVED')
  if (state === 'SILENCED') fail('ERROR_ALREADY_SILENCED')
}

export function assertReopenable({ state }: HasState): void {
  if (state === 'UNRESOLVED') fail('ERROR_ALREADY_OPEN')
}

/** DATE requires `until` and COUNT requires `count`; no other type allows them. */
export function parseSilence({ type, until, count }: { type: Silence; until?: string; count?: number }) {
  if ((type === 'DATE') !== (until !== undefined))
    refuse('until', 'is required for DATE and not allowed for other types')
  if ((type === 'COUNT') !== (count !== undefined))
    refuse('count', 'is required for COUNT and not allowed for other types')
  // `until` stays a string: Date cannot parse a leap second, PostgreSQL can
  return { type, until: until ?? null, count: count ?? null }
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'required', message }] })
}
