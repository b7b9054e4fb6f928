import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type ErrorSeverity = (typeof severities)[number]
export const ErrorSeverity = OneOf(severities)
export const errorStates = ['UNRESOLVED', 'RESOLVED', 'SILENCED'] as const
export type ErrorState = (typeof errorStates)[number]
export const ErrorState = OneOf(errorStates)

const area = 'error-reports'
const module = 'integrations'
const readAccess = {
  area,
  module,
  auth: { apiKey: { scope: 'analytics:errors:read' } },
  limit: { bucket: 'error-reads', times: limits.errorReadsPerHour, windowSeconds: 3600 },
} as const

const NullableString = Nullable(Type.String())
/** The common fields of an error (ERR-14). */
export const errorRecord = {
  id: Id,
  hash: Type.String({ description: 'Identifies the error; the same for all its occurrences' }),
  message: Type.String({
    description: 'The message of the latest occurrence, without secrets and e-mail addresses',
  }),
  module: Type.String(),
  severity: OneOf(severities, {
    description: 'The highest severity since the error appeared or was reopened',
  }),
  file: NullableString,
  line: Nullable(Type.Integer()),
  endpoint: NullableString,
  count: Type.Integer(),
  firstOccurrence: Time,
  lastOccurrence: Time,
  resolved: Type.Boolean(),
  resolvedAt: Nullable(Time),
  state: OneOf(errorStates),
}
const ErrorRecord = Type.Object(errorRecord)

const optionalText = (max: number) => Type.Optional(Text(max))

/** ERR-1, ERR-2. */
export const reportError = operation('POST /errors/report', {
  area,
  module,
  auth: { apiKey: { scope: 'analytics:errors:write' } },
  summary: 'Report an error',
  description:
    'Reports an error of the application’s own server. Occurrences of the same error are grouped and counted. An HTTP status from 400 to 499 in `context` marks an expected business error, which is accepted but not recorded; 408, 502, 503 and 504 are recorded with severity low. Secrets are removed before the report is stored. Unknown fields are ignored. After a 429, drop the report and send no other one before the time in `Retry-After`.',
  isLenient: true,
  bodyBytes: limits.errorReportBytes,
  ownCallRateLimit: { name: 'error-report-calls', perMinute: limits.errorReportCallsPerMinute },
  body: {
    message: Type.String({ minLength: 1, maxLength: limits.errorMessage, pattern: '\\S' }),
    module: Type.String({ minLength: 1, maxLength: limits.errorModule, pattern: '\\S' }),
    severity: Type.Optional(OneOf(severities, { default: 'low' })),
    stack: optionalText(limits.errorStack),
    file: optionalText(limits.errorFile),
    line: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    function: optionalText(limits.errorFunction),
    endpoint: Type.Optional(
      Type.String({
        maxLength: limits.errorEndpoint,
        description: 'Route of the application’s server that failed',
      }),
    ),
    method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    userId: Type.Optional(
      Type.String({ maxLength: limits.errorUserId, description: 'The affected user of the application' }),
    ),
    requestId: optionalText(limits.errorRequestId),
    occurrences: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.errorOccurrences,
        default: 1,
        description: 'The number of occurrences, when the application counts them itself',
      }),
    ),
    context: Type.Optional(FreeObject),
  },
  reply: Type.Object({
    success: Type.Boolean(),
    hash: Type.String({ description: 'Empty when the error was discarded' }),
    deduplicated: Type.Boolean({ description: 'The error existed already; only its counter grew' }),
  }),
})

/** A date, or a date and time with a time zone. */
const Moment = Type.String({
  maxLength: 40,
  pattern:
    '^[12]\\d{3}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[Zz]|[+-]\\d{2}:\\d{2}))?$',
  description: 'ISO 8601; a date without a time is that day in UTC',
})

/** Filters of error lists. */
export const errorFilters = {
  severity: Type.Optional(Type.Array(OneOf(severities), { maxItems: severities.length })),
  module: Type.Optional(Text(limits.errorModule, 1)),
  resolved: Type.Optional(Type.Boolean()),
  state: Type.Optional(OneOf(errorStates)),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
}
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageOffset, default: 0 }))

/** ERR-15. */
export const listErrors = operation('GET /errors', {
  ...readAccess,
  summary: 'List the errors of the calling application, latest first',
  description: '`from` and `to` filter by the last occurrence; both ends are included.',
  query: {
    ...errorFilters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.errorsPageLimit, default: 50 })),
    offset,
  },
  reply: Type.Object({
    errors: Type.Array(ErrorRecord),
    pagination: Type.Object({ total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }),
  }),
})

/** Statistics of the errors of an application (ERR-17). */
export const ErrorStatistics = Type.Object({
  total: Type.Integer(),
  unresolved: Type.Integer(),
  resolved: Type.Integer(),
  silenced: Type.Integer(),
  bySeverity: Type.Object({
    critical: Type.Integer(),
    high: Type.Integer(),
    medium: Type.Integer(),
    low: Type.Integer(),
  }),
  byModule: Type.Record(Type.String(), Type.Integer()),
  topErrors: Type.Array(
    Type.Object({
      hash: Type.String(),
      message: Type.String(),
      count: Type.Integer(),
      severity: OneOf(severities),
    }),
  ),
})
export type ErrorStatistics = Static<typeof ErrorStatistics>

/** ERR-17. */
export const readErrorStatistics = operation('GET /errors/stats', {
  ...readAccess,
  summary: 'Retrieve statistics of the errors of the calling application',
  description: 'Counts errors, not occurrences.',
  reply: ErrorStatistics,
})
