import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED', 'NOT_AUTHORIZED', 'CANCELLED'] as const
export const DeliveryStatus = OneOf(deliveryStatuses, {
  description:
    'NOT_AUTHORIZED: when the delivery was due, the application no longer had the access that the event needs',
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
  lastStatus: Nullable(Type.Integer({ description: 'HTTP status of the last response' })),
  emittedAt: Time,
  finishedAt: Nullable(Time),
}
/** A delivery of an event to an application, as lists show it. */
export const Delivery = Type.Object(delivery)
export type Delivery = Static<typeof Delivery>

const milliseconds = Type.Integer({ description: 'Milliseconds' })
export const Attempt = Type.Object({
  n: Type.Integer(),
  trigger: OneOf(['AUTOMATIC', 'MANUAL', 'RECOVERY']),
  startedAt: Time,
  durationMs: Type.Integer(),
  timings: Nullable(
    Type.Object({
      dns: milliseconds,
      connect: milliseconds,
      tls: milliseconds,
      firstByte: milliseconds,
      rest: milliseconds,
    }),
  ),
  outcome: Type.String(),
  status: Nullable(Type.Integer()),
  answer: Nullable(
    Type.String({
      description: `The first ${limits.webhookAnswerBytes} bytes of the response body`,
    }),
  ),
  answerHeaders: Nullable(FreeObject),
  address: Nullable(Type.String({ description: 'The IP address of the receiver' })),
  secretId: Nullable(Type.String({ description: 'The secret that signed the request' })),
  error: Nullable(Type.String()),
})
export type Attempt = Static<typeof Attempt>
export type AttemptRecord = Omit<Attempt, 'n' | 'startedAt'>

/** A delivery in a list over all applications. */
export const OrganizationDelivery = Type.Object({
  ...delivery,
  applicationId: Id,
  applicationName: Type.String(),
})
export type OrganizationDelivery = Static<typeof OrganizationDelivery>

/** A delivery with its body and its attempts. */
export const WholeDelivery = Type.Object({
  ...delivery,
  body: Type.String({ description: 'The request body, the same for each attempt' }),
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

const listQuery = {
  status: Type.Optional(DeliveryStatus),
  event: Type.Optional(EventFilter),
  since: Type.Optional(Time),
  until: Type.Optional(Time),
  ids: Type.Optional(Type.Array(Id, { maxItems: limits.pageLimit, uniqueItems: true })),
  before: Type.Optional(Id),
  limit,
}

export const listDeliveries = operation('GET /applications/:id/webhook/deliveries', {
  ...integrations,
  summary: 'List the deliveries to an application, newest first',
  description:
    `Deliveries are stored for ${limits.webhookRetentionDays} days. A page can hold fewer than \`limit\` items and still ` +
    'have a `nextBefore`: the list ends when that is null.',
  params: { id: Id },
  query: listQuery,
  reply: Type.Object({ items: Type.Array(Delivery), nextBefore: Nullable(Id) }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const listOrganizationDeliveries = operation('GET /deliveries', {
  ...integrations,
  summary: 'List the deliveries to all applications of the organization, newest first',
  description:
    'A page can hold fewer than `limit` items and still have a `nextBefore`: the list ends when that is null.',
  query: { applicationId: Type.Optional(Id), ...listQuery },
  reply: Type.Object({ items: Type.Array(OrganizationDelivery), nextBefore: Nullable(Id) }),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const readDelivery = operation('GET /applications/:id/webhook/deliveries/:deliveryId', {
  ...integrations,
  summary: 'Read a delivery with its attempts',
  description:
    'The reply contains the data that was sent, so only an administrator may read it, or the principal if they hold ' +
    'every permission that the scopes of the application and the event stand for. The list shows the same delivery ' +
    'without its content.',
  params: { id: Id, deliveryId: Id },
  reply: WholeDelivery,
  errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_EXCEEDS_PERMISSIONS', 'DELIVERY_NOT_FOUND'],
})

export const retryDelivery = operation('POST /applications/:id/webhook/deliveries/:deliveryId/retry', {
  ...integrations,
  summary: 'Retry a delivery now',
  description:
    'Sends the same id and body once, with a new timestamp and signature. The attempt does not count among the five ' +
    'automatic ones and is not retried. A delivered delivery can be sent again: the receiver recognizes its id and can ' +
    'ignore it. Refused while the application may not receive it, for example after its channel grant was revoked.',
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

/** A delivery, as the application that receives it reads it. */
export const OwnDelivery = Type.Object({
  id: Id,
  event: Type.String(),
  emittedAt: Time,
  status: DeliveryStatus,
  body: { ...FreeObject, description: 'The request body' } as typeof FreeObject,
})
export type OwnDelivery = Static<typeof OwnDelivery>

export const listOwnDeliveries = operation('GET /deliveries', {
  area: 'integrations',
  module: 'integrations',
  auth: { apiKey: { scope: null } },
  summary: 'List the deliveries to this application in order, to catch up',
  description:
    'Oldest first, after the id of the last delivery that was read. Events that need a scope which the application ' +
    'lacks are left out, and so are events about invoices without `crm:invoices:read`. A delivery appears ' +
    `${limits.deliverySettleSeconds} seconds after it was written, so that no earlier one can follow it. Call again with ` +
    '`nextAfter` while `hasMore` is true, and later to continue from there.',
  query: { after: Type.Optional(Id), limit },
  reply: Type.Object({
    items: Type.Array(OwnDelivery),
    nextAfter: Nullable(Id),
    hasMore: Type.Boolean(),
  }),
})
