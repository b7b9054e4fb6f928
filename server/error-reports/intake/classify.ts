import type { ErrorSeverity } from '#contract/error-reports/errors.ts'

export type Classification = { isDiscarded: true } | { isDiscarded: false; severity: ErrorSeverity }

const transientStatuses = new Set([408, 502, 503, 504])

/**
 * ERR-5: expected business errors (4xx) are discarded; transient errors (408, 502, 503, 504) get severity low regardless
 * of the reported severity. The first of `httpStatus`, `statusCode` and `errorCode` that is an HTTP status counts.
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

/** An integer from 100 to 599, or a string of these digits. */
function parseStatus(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599
    ? number
    : undefined
}
