import Type, { type TProperties } from 'typebox'
import { forApplications } from '../event.ts'
import { Id, Nullable, Time } from '../shapes.ts'

// what a notice says of an error. Never its stack, context or user: notices are stored and sent again
const errorHead = {
  errorId: Id,
  hash: Type.String(),
  message: Type.String(),
  module: Type.String(),
  severity: Type.String(),
  count: Type.Integer(),
  lastOccurrence: Time,
  state: Type.String(),
}
const Who = Type.Object({ id: Id, displayName: Type.String() })
function ofError<const Data extends TProperties>(data: Data) {
  return forApplications({
    schemaVersion: '2026-11',
    scope: 'analytics:errors:read',
    reaches: 'subject',
    isToldToActor: true,
    data: Type.Object(data),
  })
}

/** The events of error reporting (ERR-18 to ERR-21). */
export const errorEvents = {
  ERROR_REPORTED: ofError({
    errorId: Id,
    hash: Type.String(),
    message: Type.String(),
    module: Type.String(),
    severity: Type.String(),
    file: Nullable(Type.String()),
    line: Nullable(Type.Integer()),
    function: Nullable(Type.String()),
    endpoint: Nullable(Type.String()),
    count: Type.Integer(),
    firstOccurrence: Time,
    state: Type.String(),
  }),
  ERROR_RESOLVED: ofError({ ...errorHead, resolvedAt: Time, resolvedBy: Who, ticketId: Nullable(Id) }),
  ERROR_SILENCED: ofError({
    ...errorHead,
    silencedAt: Time,
    silencedUntil: Nullable(Time),
    condition: Type.Object({
      type: Type.String(),
      value: Nullable(Type.String({ description: 'The time, or how many occurrences' })),
    }),
    silencedBy: Who,
  }),
  ERROR_REOPENED: ofError({
    ...errorHead,
    reason: Type.String({ description: 'REGRESSION, MANUAL or SILENCE_ENDED' }),
    previousState: Type.String(),
    reopenedAt: Time,
  }),
  ERROR_SPIKE: ofError({
    ...errorHead,
    observed: Type.Integer(),
    baselineMedian: Type.Number(),
    factor: Type.Number(),
    windowMinutes: Type.Integer(),
  }),
} as const
