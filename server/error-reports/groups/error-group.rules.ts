import type { ErrorState } from '#contract/error-reports/errors.ts'
import type { Silence } from '#contract/error-reports/tab.ts'
import { fail } from '#platform/fail.ts'

type HasState = { state: ErrorState }

/** From UNRESOLVED or SILENCED: what is resolved is not silenced any more. */
export function assertResolvable({ state }: HasState): void {
  if (state === 'RESOLVED') fail('ERROR_ALREADY_RESOLVED')
}

/** From UNRESOLVED only: to be resolved and silenced at once would mean nothing. */
export function assertSilenceable({ state }: HasState): void {
  if (state === 'RESOLVED') fail('ERROR_ALREADY_RESOLVED')
  if (state === 'SILENCED') fail('ERROR_ALREADY_SILENCED')
}

export function assertReopenable({ state }: HasState): void {
  if (state === 'UNRESOLVED') fail('ERROR_ALREADY_OPEN')
}

/** DATE takes `until`, COUNT takes `count`, and nothing takes what it does not need. */
export function parseSilence({ type, until, count }: { type: Silence; until?: string; count?: number }) {
  if ((type === 'DATE') !== (until !== undefined)) refuse('until', 'goes with DATE, and DATE needs it')
  if ((type === 'COUNT') !== (count !== undefined)) refuse('count', 'goes with COUNT, and COUNT needs it')
  // a leap second is a time, which only the database knows
  return { type, until: until ?? null, count: count ?? null }
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'required', message }] })
}
