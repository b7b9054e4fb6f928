import { billingNotices } from '../billing/notices.ts'
import { chatEventExamples } from '../chat/event-examples.ts'
import { budgetEventExamples } from '../crm/budget-event-examples.ts'
import { leadEventExamples } from '../crm/lead-event-examples.ts'
import type { EventData, EventName, events } from '../events.ts'

/** The events that external applications can receive. */
export type ApplicationEventName = {
  [Name in EventName]: (typeof events)[Name]['audience'] extends 'applications' ? Name : never
}[EventName]

const error = {
  errorId: 'cmhz3k8q1x7v2b5n9m4d6f8gh',
  hash: '9c1f0a7be2d34855a6c7d8e9f0a1b2c3',
  message: "Cannot read properties of undefined (reading 'total')",
  module: 'billing',
  severity: 'high',
} as const
const errorNow = { ...error, count: 42, lastOccurrence: '2026-11-21T20:15:00.000Z' } as const
const person = { id: 'cmhz3k8q1a1b2c3d4e5f6g7h8', displayName: 'Ada Marsh' } as const

/** When each event happens, and an example of its data. */
export const eventExamples: { [Name in ApplicationEventName]: { when: string; example: EventData<Name> } } = {
  ERROR_REPORTED: {
    when: 'An error appears for the first time',
    example: {
      ...error,
      file: 'src/invoices/total.ts',
      line: 42,
      function: 'totalOf',
      endpoint: '/invoices/:id',
      count: 1,
      firstOccurrence: '2026-11-21T20:00:00.000Z',
      state: 'UNRESOLVED',
    },
  },
  ERROR_RESOLVED: {
    when: 'The team resolves an error',
    example: {
      ...errorNow,
      state: 'RESOLVED',
      resolvedAt: '2026-11-21T20:20:00.000Z',
      resolvedBy: person,
      ticketId: null,
    },
  },
  ERROR_SILENCED: {
    when: 'The team silences an error',
    example: {
      ...errorNow,
      state: 'SILENCED',
      silencedAt: '2026-11-21T20:20:00.000Z',
      silencedUntil: null,
      condition: { type: 'COUNT', value: '100' },
      silencedBy: person,
    },
  },
  ERROR_REOPENED: {
    when: 'A resolved error happens again, a silence ends, or the team reopens an error',
    example: {
      ...errorNow,
      state: 'UNRESOLVED',
      reason: 'REGRESSION',
      previousState: 'RESOLVED',
      reopenedAt: '2026-11-21T20:30:00.000Z',
    },
  },
  ERROR_SPIKE: {
    when: 'An error happens far more often than usual',
    example: {
      ...errorNow,
      state: 'UNRESOLVED',
      observed: 120,
      baselineMedian: 2.5,
      factor: 48,
      windowMinutes: 5,
    },
  },
  WEBHOOK_TEST: {
    when: 'Someone sends a test event to the webhook',
    example: { message: 'This is a test.' },
  },
  RESYNC: {
    when: 'The server was restored from a backup. Changes after `restoredTo` are lost',
    example: { reason: 'restored', restoredTo: '2026-07-01T02:00:00.000Z' },
  },
  ...chatEventExamples,
  ...leadEventExamples,
  ...budgetEventExamples,
  ...billingNotices,
}
