import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Time } from '../shapes.ts'

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED', 'NOT_AUTHORIZED', 'CANCELLED'] as const
export const DeliveryStatus = OneOf(deliveryStatuses, {
  description: 'NOT_AUTHORIZED: the application had lost what the event needs when it was to be sent',
})
export const EventFilter = Type.String({ minLength: 1, maxLength: limits.webhookEvent })

const delivery = {
  id: Id,
  eventId: Id,
  event: Type.String(),
  status: DeliveryStatus,
  attempts: Type.Integer(),
  outcome: Nullable(
    Type.String({
      description:
        'Of the last attempt: DELIVERED, HTTP_STATUS, REDIRECT, TIMEOUT, CONNECT, DNS, TLS, RESET, BLOCKED_ADDRESS or ' +
        'INTERNAL',
    }),
  ),
  lastStatus: Nullable(Type.Integer({ description: 'HTTP status of the last answer' })),
  emittedAt: Time,
  finishedAt: Nullable(Time),
}
/** One notice for an application, as lists show it. */
export const Delivery = Type.Object(delivery)
export type Delivery = Static<typeof Delivery>

const whole = Type.Integer({ description: 'Milliseconds' })
export const Attempt = Type.Object({
  n: Type.Integer(),
  trigger: OneOf(['AUTOMATIC', 'MANUAL', 'RECOVERY']),
  startedAt: Time,
  durationMs: Type.Integer(),
  timings: Nullable(Type.Object({ dns: whole, connect: whole, tls: whole, firstByte: whole, rest: whole })),
  outcome: Type.String(),
  status: Nullable(Type.Integer()),
  answer: Nullable(
    Type.String({
      description: `The first ${limits.webhookAnswerBytes} bytes of what the receiver answered`,
    }),
  ),
  answerHeaders: Nullable(FreeObject),
  address: Nullable(Type.String({ description: 'The IP address that was reached' })),
  secretId: Nullable(Type.String({ description: 'The secret that signed' })),
  error: Nullable(Type.String()),
})
export type Attempt = Static<typeof Attempt>
export type AttemptRecord = Omit<Attempt, 'n' | 'startedAt'>

/** A delivery with what was sent and everything that came of it. */
export const WholeDelivery = Type.Object({
  ...delivery,
  body: Type.String({ description: 'The bytes that are sent, the same at each attempt' }),
  dueAt: Nullable({ ...Time, description: 'When the next attempt is due' } as typeof Time),
  history: Type.Array(Attempt, {
    description: `The last ${limits.webhookAttemptsShown} attempts, the first one first`,
  }),
})
export type WholeDelivery = Static<typeof WholeDelivery>

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
)

export const listDeliveries = operation('GET /applications/:id/webhook/deliveries', {
  ...integrations,
  summary: 'List what an application was told, newest first',
  description:
    `Kept for ${limits.webhookRetentionDays} days. A page can have fewer than \`limit\` and still have a ` +
    '`nextBefore`: the list ends where that is null.',
  params: { id: Id },
  query: {
    status: Type.Optional(DeliveryStatus),
    event: Type.Optional(EventFilter),
    since: Type.Optional(Time),
    until: Type.Optional(Time),
    before: Type.Optional(Id),
    limit,
  },
  reply: Type.Object({ items: Type.Array(Delivery), nextBefore: Nullable(Id) }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const readDelivery = operation('GET /applications/:id/webhook/deliveries/:deliveryId', {
  ...integrations,
  summary: 'Read a delivery with every attempt',
  description:
    'It carries what the application was sent, so it is for an administrator, or for the principal who holds every ' +
    'permission that the scopes of the application and the event stand for. The list shows the same delivery without ' +
    'its contents.',
  params: { id: Id, deliveryId: Id },
  reply: WholeDelivery,
  errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_EXCEEDS_PERMISSIONS', 'DELIVERY_NOT_FOUND'],
})

export const retryDelivery = operation('POST /applications/:id/webhook/deliveries/:deliveryId/retry', {
  ...integrations,
  summary: 'Send a delivery once more, at once',
  description:
    'With the same id and body, and a time and signature of its own. One attempt, whatever comes of it; it does not ' +
    'count among the five. Also for one that was delivered: its receiver sees the id and can drop it. Refused while ' +
    'the application may not receive it, such as after its grant in the channel was revoked.',
  params: { id: Id, deliveryId: Id },
  reply: Delivery,
  errors: [
    'APPLICATION_NOT_FOUND',
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_HELD',
    'DELIVERY_NOT_FOUND',
    'DELIVERY_PENDING',
    'DELIVERY_EXHAUSTED',
    'DELIVERY_NOT_AUTHORIZED',
  ],
})

/** What an application reads of its own deliveries. */
export const OwnDelivery = Type.Object({
  id: Id,
  event: Type.String(),
  emittedAt: Time,
  status: DeliveryStatus,
  body: { ...FreeObject, description: 'As it is sent' } as typeof FreeObject,
})
export type OwnDelivery = Static<typeof OwnDelivery>

export const listOwnDeliveries = operation('GET /deliveries', {
  area: 'integrations',
  module: 'integrations',
  auth: { apiKey: { scope: null } },
  summary: 'Read what this application is told, in order, to catch up',
  description:
    'Oldest first, after the id of the last one that was read. What needs a scope that the application does not have ' +
    'is left out, and so is an event about an invoice without `crm:invoices:read`. A notice shows here ' +
    `${limits.deliverySettleSeconds} seconds after it was written, so that no earlier one can still come. Ask again ` +
    'with `nextAfter` while `hasMore`; later it goes on from there.',
  query: { after: Type.Optional(Id), limit },
  reply: Type.Object({
    items: Type.Array(OwnDelivery),
    nextAfter: Nullable(Id),
    hasMore: Type.Boolean(),
  }),
})
