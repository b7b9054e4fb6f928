import { type ErrorSeverity, type ErrorState, errorStates } from '#contract/error-reports/errors.ts'
import { fail } from '#platform/fail.ts'
import type { ErrorFilters, ErrorSearch } from './error-group.sql.ts'

type ErrorFilterQuery = {
  severity?: ErrorSeverity[]
  module?: string
  resolved?: boolean
  state?: ErrorState
  from?: string
  to?: string
}

/**
 * `resolved` filters by that field, so `false` includes silenced errors; combined with `state`, both must match. A date
 * without a time as `to` includes the whole day in UTC. Refuses dates that do not exist.
 */
export function parseFilters({
  severity,
  module,
  resolved,
  state,
  from,
  to,
}: ErrorFilterQuery): ErrorFilters {
  const states = errorStates.filter(
    candidate =>
      (resolved === undefined || (candidate === 'RESOLVED') === resolved) &&
      (state === undefined || candidate === state),
  )
  return {
    severities: severity && severity.length > 0 ? severity : null,
    module: module?.trim() ?? null,
    states: states.length === errorStates.length ? null : states,
    from: from === undefined ? null : parseMoment(from, 'from', '00:00:00.000'),
    to: to === undefined ? null : parseMoment(to, 'to', '23:59:59.999'),
  }
}

/** The filters that only people have (ERR-23). A search of blanks alone is none. */
export function parseSearch({ search, ids }: { search?: string; ids?: string[] }): ErrorSearch {
  const text = search?.trim()
  return { ...(text && { search: text }), ...(ids && { ids }) }
}

function parseMoment(text: string, path: string, timeOfDay: string): string {
  const day = text.slice(0, 10)
  const iso = text.length === 10 ? `${text}T${timeOfDay}Z` : text.toUpperCase()
  const ms = Date.parse(iso)
  const isRealDay = new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day)
  if (Number.isNaN(ms) || !isRealDay)
    fail('VALIDATION_ERROR', {
      details: [{ path, code: 'date-time', message: 'must be an existing date' }],
    })
  return new Date(ms).toISOString()
}
