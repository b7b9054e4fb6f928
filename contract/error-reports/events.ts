import type { TProperties } from 'typebox'
import { forApplications } from '../event.ts'
import type { ChangeAnnouncement } from '../people-events.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

// events are stored and may be sent again: they never carry the stack, the context or the user of an error
const errorSummary = {
  errorId: Id,
  hash: Type.String(),
  message: Type.String(),
  module: Type.String(),
  severity: Type.String(),
  count: Type.Integer(),
  lastOccurrence: Time,
  state: Type.String(),
}
const Actor = Type.Object({ id: Id, displayName: Type.String() })
function errorEvent<const Data extends TProperties>(data: Data, change?: ChangeAnnouncement['change']) {
  return forApplications({
    schemaVersion: '2026-11',
    scope: 'analytics:errors:read',
    reaches: 'subject',
    includesActor: true,
    announces: {
      event: 'error.changed',
      id: 'errorId',
      parent: 'applicationId',
      ...(change && { change }),
    },
    data: Type.Object(data),
  })
}

/** The events of error reporting (ERR-18 to ERR-21). */
export const errorEvents = {
  ERROR_REPORTED: errorEvent(
    {
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
    },
    'created',
  ),
  ERROR_RESOLVED: errorEvent({
    ...errorSummary,
    resolvedAt: Time,
    resolvedBy: Actor,
    ticketId: Nullable(Id),
  }),
  ERROR_SILENCED: errorEvent({
    ...errorSummary,
    silencedAt: Time,
    silencedUntil: Nullable(Time),
    condition: Type.Object({
      type: Type.String(),
      value: Nullable(Type.String({ description: 'The end of the silence, or the number of occurrences' })),
    }),
    silencedBy: Actor,
  }),
  ERROR_REOPENED: errorEvent({
    ...errorSummary,
    reason: Type.String({ description: 'REGRESSION, MANUAL or SILENCE_ENDED' }),
    previousState: Type.String(),
    reopenedAt: Time,
  }),
  ERROR_SPIKE: errorEvent({
    ...errorSummary,
    observed: Type.Integer(),
    baselineMedian: Type.Number(),
    factor: Type.Number(),
    windowMinutes: Type.Integer(),
  }),
} as const
