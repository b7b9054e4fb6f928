import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { EventFilter } from './deliveries.ts'

export const recoveryKinds = ['RECOVERY', 'REPLAY'] as const
export const recoverable = ['FAILED', 'NOT_AUTHORIZED', 'CANCELLED'] as const

/** Many deliveries that are sent again, or events that are told later, at a pace. */
export const Recovery = Type.Object({
  id: Id,
  kind: OneOf(recoveryKinds),
  state: OneOf(['RUNNING', 'DONE', 'CANCELLED']),
  perSecond: Type.Integer(),
  total: Type.Integer({ description: 'Deliveries that it began with' }),
  waiting: Type.Integer({ description: 'Of them those that are still to be sent, first or again' }),
  cancelled: Type.Integer(),
  createdAt: Time,
  cancelledAt: Nullable(Time),
})
export type Recovery = Static<typeof Recovery>

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const
const errors = ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_HELD', 'RECOVERY_RUNNING'] as const
const perSecond = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.recoveryPerSecond,
    default: limits.recoveryPerSecondDefault,
    description: 'How many are begun in a second',
  }),
)
const dryRun = Type.Optional(Type.Boolean({ default: false, description: 'Only counts' }))
const begun = Type.Object({
  count: Type.Integer({ description: 'Deliveries that are, or would be, sent' }),
  next: Nullable({
    ...Time,
    description: 'There is more from here on: begin another one with it as `since`',
  } as typeof Time),
  recovery: Nullable(Recovery),
})
const most = `At most ${limits.recoveryDeliveries} at a time, the oldest first, and one recovery or replay at a time.`

export const recoverDeliveries = operation('POST /applications/:id/webhook/recover', {
  ...integrations,
  summary: 'Send many deliveries again, at a pace',
  description: `Each gets five attempts like a new one. ${most}`,
  params: { id: Id },
  body: {
    since: Time,
    until: Type.Optional(Time),
    status: Type.Optional(OneOf(recoverable, { default: 'FAILED' })),
    event: Type.Optional(EventFilter),
    perSecond,
    dryRun,
  },
  reply: begun,
  errors,
})

export const replayEvents = operation('POST /applications/:id/webhook/replay', {
  ...integrations,
  summary: 'Tell an application events that it was never told of',
  description:
    `Of the last ${limits.streamReplayHours} hours and of those that the webhook asks for now, such as when it asked ` +
    `for them too late. They are deliveries of their own, with the time of their event. ${most}`,
  params: { id: Id },
  body: { since: Type.Optional(Time), perSecond, dryRun },
  reply: begun,
  errors,
})

export const listRecoveries = operation('GET /applications/:id/webhook/recoveries', {
  ...integrations,
  summary: 'List the recoveries and replays of a webhook, newest first',
  description: `The last ${limits.recoveriesKept}.`,
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Recovery) }),
  errors: ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
})

export const cancelRecovery = operation('POST /applications/:id/webhook/recoveries/:recoveryId/cancel', {
  ...integrations,
  summary: 'Stop a recovery or replay',
  description:
    'What is due within two seconds, or was tried already, is still sent; the rest is again as it was, and what a ' +
    'replay would have told is CANCELLED.',
  params: { id: Id, recoveryId: Id },
  reply: Recovery,
  errors: ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'RECOVERY_NOT_FOUND', 'RECOVERY_ENDED'],
})
