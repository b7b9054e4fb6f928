import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Page, Person, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { ErrorStatistics, errorFilters, errorRecord } from './errors.ts'
import { Ticket } from './tickets.ts'

export const silences = ['FOREVER', 'DATE', 'COUNT', 'SPIKE'] as const
export type Silence = (typeof silences)[number]
export const regressionTickets = ['REOPEN', 'NEW', 'NOTHING'] as const
export const RegressionTicket = OneOf(regressionTickets)

/** An error with all fields, as the errors tab of an application shows it. */
const errorGroup = {
  ...errorRecord,
  applicationId: Id,
  fingerprintVersion: Type.String(),
  function: Nullable(Type.String()),
  method: Nullable(Type.String()),
  usersAffected: Type.Integer({ description: `Distinct users, counted up to ${limits.errorUsers}` }),
  resolvedBy: Nullable(Person),
  silencedAt: Nullable(Time),
  silencedUntil: Nullable(Time),
  silence: Nullable(OneOf(silences)),
  silencedForCount: Nullable(Type.Integer({ description: 'Silenced until this many more occurrences' })),
  regressionCount: Type.Integer({ description: 'How often the error came back after it was resolved' }),
  isOverflow: Type.Boolean({
    description: 'Collects the errors of a module when it reports too many distinct ones',
  }),
  ticketId: Nullable(Id),
}
export const ErrorGroup = Type.Object(errorGroup)
export type ErrorGroup = Static<typeof ErrorGroup>

const Sample = Type.Object({
  kind: OneOf(['FIRST', 'RECENT', 'REGRESSION']),
  occurredAt: Time,
  message: Type.String(),
  severity: Type.String(),
  stack: Nullable(Type.String()),
  file: Nullable(Type.String()),
  line: Nullable(Type.Integer()),
  function: Nullable(Type.String()),
  endpoint: Nullable(Type.String()),
  method: Nullable(Type.String()),
  userId: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
  context: Type.Union([FreeObject, Type.Null()]),
})

export const historyActions = [
  'REPORTED',
  'RESOLVED',
  'SILENCED',
  'REOPENED',
  'REGRESSED',
  'SILENCE_ENDED',
  'SPIKED',
  'TICKET_CREATED',
  'TICKET_REOPENED',
] as const
const HistoryEntry = Type.Object({
  action: OneOf(historyActions),
  at: Time,
  by: Nullable(Person),
  note: Nullable(Type.String()),
})

/** An error as lists show it, with its counts by hour. */
export const ErrorGroupItem = Type.Object({
  ...errorGroup,
  applicationName: Type.String(),
  hours: Type.Array(Type.Object({ hour: Time, count: Type.Integer() }), {
    description: `Occurrences in each of the last ${limits.errorItemHours} hours; hours without occurrences are omitted`,
  }),
})
export type ErrorGroupItem = Static<typeof ErrorGroupItem>

export const errorChangeActions = ['RESOLVE', 'SILENCE', 'REOPEN'] as const

const tabAccess = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'ERROR_REPORTS_MANAGE' } },
} as const
const search = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: limits.search,
    description: `A part of the message, the module or the file. Examines the ${limits.errorsSearched} errors that occurred last`,
  }),
)
const listQuery = {
  ...errorFilters,
  search,
  ids: Type.Optional(Type.Array(Id, { maxItems: limits.errorsPerBulkChange, uniqueItems: true })),
  ...pageQuery,
}
const graceMinutes = Type.Optional(
  Type.Integer({ minimum: 0, maximum: limits.errorGraceMinutes, default: 0 }),
)
const silenceFields = {
  type: OneOf(silences),
  until: Type.Optional(Time),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.errorSilenceCount })),
}
const applicationParams = { id: Id }
const errorParams = { id: Id, errorId: Id }
const errorNotFound = ['APPLICATION_NOT_FOUND', 'ERROR_NOT_FOUND'] as const

export const listErrorGroups = operation('GET /applications/:id/errors', {
  ...tabAccess,
  summary: 'List the errors of an application, latest first',
  params: applicationParams,
  query: listQuery,
  reply: Page(ErrorGroupItem),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const listOrganizationErrors = operation('GET /errors', {
  ...tabAccess,
  summary: 'List the errors of all applications of the organization, latest first',
  query: { applicationId: Type.Optional(Id), ...listQuery },
  reply: Page(ErrorGroupItem),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const changeErrorGroups = operation('POST /errors/bulk', {
  ...tabAccess,
  summary: 'Resolve, silence or reopen many errors at once',
  description:
    'Takes either `ids` or a `filter`. Errors that cannot change are reported and left unchanged. A filter finds only ' +
    `errors in a state that can change, and changes up to ${limits.errorsPerFilterChange} in a call, the latest first: call ` +
    'again while `matched` is greater than `changed`. With `dryRun`, the call only counts.',
  body: {
    action: OneOf(errorChangeActions),
    ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: limits.errorsPerBulkChange, uniqueItems: true }),
    ),
    filter: Type.Optional(
      Type.Object(
        { applicationId: Type.Optional(Id), ...errorFilters, search },
        { additionalProperties: false },
      ),
    ),
    graceMinutes,
    silence: Type.Optional(
      Type.Object(silenceFields, { additionalProperties: false, description: 'Required for SILENCE' }),
    ),
    dryRun: Type.Optional(Type.Boolean({ default: false })),
  },
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Id,
        changed: Type.Boolean(),
        errorCode: Nullable(Type.String({ description: 'The reason why the error did not change' })),
      }),
    ),
    matched: Type.Integer({ description: 'The errors that `ids` names or that the filter finds' }),
    changed: Type.Integer(),
  }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const readErrorTab = operation('GET /applications/:id/errors/overview', {
  ...tabAccess,
  summary: 'Retrieve error statistics, report counts by hour and settings of an application',
  description:
    'Hours without reports are omitted. `limited` reports were refused with 429; `discarded` reports are expected business errors.',
  params: applicationParams,
  query: { hours: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.errorHours, default: 24 })) },
  reply: Type.Object({
    statistics: ErrorStatistics,
    hours: Type.Array(
      Type.Object({
        hour: Time,
        accepted: Type.Integer(),
        discarded: Type.Integer(),
        limited: Type.Integer(),
        newErrors: Type.Integer(),
      }),
    ),
    settings: Type.Object({
      ticketOnRegression: OneOf(regressionTickets),
      resolveWithTicket: Type.Boolean(),
    }),
  }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const updateErrorSettings = operation('PATCH /applications/:id/errors/settings', {
  ...tabAccess,
  summary: 'Update the ticket settings of an application',
  description:
    '`ticketOnRegression` says what happens with the closed ticket of an error that comes back. With `resolveWithTicket`, a ticket that becomes DONE resolves its error.',
  params: applicationParams,
  body: {
    ticketOnRegression: Type.Optional(OneOf(regressionTickets)),
    resolveWithTicket: Type.Optional(Type.Boolean()),
  },
  reply: Type.Object({ ticketOnRegression: OneOf(regressionTickets), resolveWithTicket: Type.Boolean() }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const readErrorGroup = operation('GET /applications/:id/errors/:errorId', {
  ...tabAccess,
  summary: 'Retrieve an error with samples, hourly counts, history and ticket',
  params: errorParams,
  reply: Type.Object({
    ...errorGroup,
    samples: Type.Array(Sample),
    hours: Type.Array(Type.Object({ hour: Time, count: Type.Integer() })),
    history: Type.Array(HistoryEntry),
    ticket: Type.Union([Ticket, Type.Null()]),
  }),
  errors: errorNotFound,
})

export const resolveErrorGroup = operation('POST /applications/:id/errors/:errorId/resolve', {
  ...tabAccess,
  summary: 'Resolve an error',
  description:
    'The error reopens when it occurs again. Occurrences within `graceMinutes` are attributed to the old release and do not reopen it.',
  params: errorParams,
  body: { graceMinutes },
  bodyOptional: true,
  reply: ErrorGroup,
  errors: [...errorNotFound, 'ERROR_ALREADY_RESOLVED'],
})

export const silenceErrorGroup = operation('POST /applications/:id/errors/:errorId/silence', {
  ...tabAccess,
  summary: 'Silence an error',
  description:
    'FOREVER; DATE until `until`; COUNT until `count` more occurrences; SPIKE until the error occurs far more often than usual. The silence ends with the first occurrence that meets the condition.',
  params: errorParams,
  body: silenceFields,
  reply: ErrorGroup,
  errors: [...errorNotFound, 'ERROR_ALREADY_RESOLVED', 'ERROR_ALREADY_SILENCED'],
})

export const reopenErrorGroup = operation('POST /applications/:id/errors/:errorId/reopen', {
  ...tabAccess,
  summary: 'Reopen a resolved or silenced error',
  params: errorParams,
  reply: ErrorGroup,
  errors: [...errorNotFound, 'ERROR_ALREADY_OPEN'],
})

export const createErrorTicket = operation('POST /applications/:id/errors/:errorId/ticket', {
  announces: { event: 'error.changed', id: 'errorId', parent: 'id' },
  ...tabAccess,
  summary: 'Create a ticket for an error',
  description: 'An error has at most one open ticket.',
  params: errorParams,
  body: {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: limits.ticketTitle, pattern: '\\S' })),
    note: Type.Optional(Text(limits.ticketNote)),
  },
  bodyOptional: true,
  reply: Ticket,
  status: 201,
  errors: [...errorNotFound, 'TICKET_EXISTS'],
})
