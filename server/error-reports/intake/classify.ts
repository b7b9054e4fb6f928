import type { ErrorSeverity } from '#contract/error-reports/errors.ts'

/** What becomes of a report: nothing, or a record of that severity. */
export type Classification = { isDiscarded: true } | { isDiscarded: false; severity: ErrorSeverity }

const transientStatuses = new Set([408, 502, 503, 504])

/**
 * ERR-5: an expected business error (4xx) is discarded, and an error that passes by itself (408, 502, 503, 504) is low,
 * whatever the caller said. The first of `httpStatus`, `statusCode` and `errorCode` that is a status counts.
 */
export function classify(
  severity: ErrorSeverity,
  context: Record<string, unknown> | undefined,
): Classification {
  const status =
    context && [context.httpStatus, context.statusCode, context.errorCode].map(parseStatus).find(Boolean)
  if (status === undefined) return { isDiscarded: false, severity }
  if (transientStatuses.has(status)) return { isDiscarded: false, severity: 'low' }
  return status >= 400 && status < 500 ? { isDiscarded: true } : { isDiscarded: false, severity }
}

/** A whole number from 100 to 599, or the same in digits. */
function parseStatus(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599
    ? number
    : undefined
}
