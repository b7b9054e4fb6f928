import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { EventFilter } from './deliveries.ts'

export const recoveryKinds = ['RECOVERY', 'REPLAY'] as const
export const recoverable = ['FAILED', 'NOT_AUTHORIZED', 'CANCELLED'] as const

/** Deliveries that are sent again, or past events that are delivered late, at a limited rate. */
export const Recovery = Type.Object({
  id: Id,
  kind: OneOf(recoveryKinds),
  state: OneOf(['RUNNING', 'DONE', 'CANCELLED']),
  perSecond: Type.Integer(),
  total: Type.Integer({ description: 'Deliveries when it started' }),
  waiting: Type.Integer({ description: 'Deliveries that are still to be sent or retried' }),
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
    description: 'How many deliveries start in a second',
  }),
)
const dryRun = Type.Optional(
  Type.Boolean({ default: false, description: 'Only count, without sending anything' }),
)
const startedRecovery = Type.Object({
  count: Type.Integer({ description: 'Deliveries that are sent, or would be in a dry run' }),
  next: Nullable({
    ...Time,
    description: 'There is more: start another one with this time as `since`',
  } as typeof Time),
  recovery: Nullable(Recovery),
})
const limitsText = `Up to ${limits.recoveryDeliveries} deliveries, the oldest first. Only one recovery or replay can run at a time.`

export const recoverDeliveries = operation('POST /applications/:id/webhook/recover', {
  ...integrations,
  summary: 'Redeliver failed deliveries at a limited rate',
  description: `Each delivery gets five attempts like a new one. ${limitsText}`,
  params: { id: Id },
  body: {
    since: Time,
    until: Type.Optional(Time),
    status: Type.Optional(OneOf(recoverable, { default: 'FAILED' })),
    event: Type.Optional(EventFilter),
    perSecond,
    dryRun,
  },
  reply: startedRecovery,
  errors,
})

export const replayEvents = operation('POST /applications/:id/webhook/replay', {
  ...integrations,
  summary: 'Deliver past events that an application never received',
  description:
    `Covers the events of the last ${limits.streamReplayHours} hours to which the webhook is subscribed now, for example ` +
    `after it subscribed too late. Each becomes a new delivery with the time of its event. ${limitsText}`,
  params: { id: Id },
  body: { since: Type.Optional(Time), perSecond, dryRun },
  reply: startedRecovery,
  errors,
})

export const listRecoveries = operation('GET /applications/:id/webhook/recoveries', {
  ...integrations,
  summary: 'List the recoveries and replays of a webhook, newest first',
  description: `The last ${limits.recoveriesListedMax}.`,
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Recovery) }),
  errors: ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
})

export const cancelRecovery = operation('POST /applications/:id/webhook/recoveries/:recoveryId/cancel', {
  ...integrations,
  summary: 'Cancel a recovery or replay',
  description:
    'Deliveries that are due within two seconds or were already tried are still sent. The others return to their ' +
    'previous status; those of a replay become CANCELLED.',
  params: { id: Id, recoveryId: Id },
  reply: Recovery,
  errors: ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'RECOVERY_NOT_FOUND', 'RECOVERY_ENDED'],
})
