import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'

export const webhookStatuses = ['ACTIVE', 'HELD'] as const
export const WebhookStatus = OneOf(webhookStatuses)
export const heldReasons = ['FAILING', 'PERSON'] as const
export const HeldReason = OneOf(heldReasons)
export const secretStates = ['PREPARED', 'CURRENT', 'RETIRING', 'RETIRED'] as const

/** A secret of a webhook, without the secret itself. */
export const WebhookSecret = Type.Object({
  id: Id,
  state: OneOf(secretStates, {
    description:
      'CURRENT signs; PREPARED signs beside it in X-Service-Signature-Next; RETIRING signed before and can again; ' +
      'RETIRED is gone',
  }),
  createdAt: Time,
  stateSince: Time,
})
export type WebhookSecret = Static<typeof WebhookSecret>

const webhook = {
  url: Type.String(),
  events: Type.Array(Type.String()),
  maxPerSecond: Nullable(Type.Integer({ description: 'Null: as many as it answers quickly' })),
  ordered: Type.Boolean({ description: 'One delivery at a time, in order' }),
  standardHeaders: Type.Boolean({
    description: 'Every delivery also carries webhook-id, webhook-timestamp and webhook-signature',
  }),
  status: OneOf(webhookStatuses, {
    description: 'HELD: nothing is sent, and everything that would be is kept until it is resumed',
  }),
  heldReason: Nullable(
    OneOf(heldReasons, { description: 'FAILING: nothing arrived for long; PERSON: on request' }),
  ),
  heldAt: Nullable(Time),
  updatedAt: Time,
}

/** Where an application is told what happens. */
export const Webhook = Type.Object(webhook)
export type Webhook = Static<typeof Webhook>

const ShownSecret = Type.String({ description: 'The secret that signs; keep it, it is not shown again' })

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const
const errors = ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND'] as const

export const setWebhook = operation('PUT /applications/:id/webhook', {
  ...integrations,
  summary: 'Say where an application is told what happens, and of which events',
  description:
    'An https address on the public internet, without a name and password in it; http only into the networks of ' +
    'the setting `WEBHOOK_NETWORKS`. Events by the names of the catalogue, in capitals: some need a scope that the ' +
    'application must have. The first time it makes a secret and answers 201. What is left out is as if it was new. ' +
    'To make one, change its address or add an event is for an administrator, or for the principal who holds every ' +
    'permission that the scopes of the application and the events stand for.',
  params: { id: Id },
  body: {
    url: Type.String({ minLength: 1, maxLength: limits.webhookUrl }),
    events: Type.Array(Type.String({ minLength: 1, maxLength: limits.webhookEvent }), {
      maxItems: limits.webhookEvents,
      uniqueItems: true,
    }),
    maxPerSecond: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.webhookPerSecond }))),
    ordered: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Send one delivery at a time, in order: the next one follows when the one before was delivered or has failed ' +
          'for good. A delivery that is retried delays all that come after it',
      }),
    ),
    standardHeaders: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also send the headers of Standard Webhooks (standardwebhooks.com): webhook-id, webhook-timestamp and ' +
          'webhook-signature, which its libraries verify with the same secret',
      }),
    ),
  },
  reply: Webhook,
  alternateReply: { status: 201, reply: Type.Object({ ...webhook, secret: ShownSecret }) },
  errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_EXCEEDS_PERMISSIONS'],
})

export const readWebhook = operation('GET /applications/:id/webhook', {
  ...integrations,
  summary: 'Read where an application is told what happens',
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const removeWebhook = operation('DELETE /applications/:id/webhook', {
  ...integrations,
  summary: 'Tell an application nothing any more',
  description: 'Its secrets are gone, and what waits is cancelled. The deliveries stay to be read.',
  params: { id: Id },
  errors,
})

export const holdWebhook = operation('POST /applications/:id/webhook/hold', {
  ...integrations,
  summary: 'Send nothing to a webhook, and keep what would be sent',
  description: `What waits longer than ${limits.webhookRetentionDays} days is dropped. One that is held stays as it is.`,
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const resumeWebhook = operation('POST /applications/:id/webhook/resume', {
  ...integrations,
  summary: 'Send again, beginning with what was kept',
  description: 'At first one at a time, and more as it answers.',
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const testWebhook = operation('POST /applications/:id/webhook/test', {
  ...integrations,
  summary: 'Send a test notice the way that every other one takes',
  description: 'It shows among the deliveries within moments, with the `eventId` of this answer.',
  params: { id: Id },
  reply: Type.Object({ event: Type.String(), eventId: Id }),
  errors: [...errors, 'WEBHOOK_HELD'],
  limit: { bucket: 'test-webhook', times: limits.webhookTestsPerHour, windowSeconds: 3_600 },
})

export const readWebhookHealth = operation('GET /applications/:id/webhook/health', {
  ...integrations,
  summary: 'Read how a webhook does',
  description: `Counts are of the newest ${limits.webhookCounted} deliveries.`,
  params: { id: Id },
  reply: Type.Object({
    status: OneOf(webhookStatuses),
    heldReason: Nullable(OneOf(heldReasons)),
    heldAt: Nullable(Time),
    lastDeliveredAt: Nullable({ ...Time, description: 'To ten seconds' } as typeof Time),
    failingSince: Nullable({
      ...Time,
      description: 'The first failure since the last success',
    } as typeof Time),
    failedInRow: Type.Integer({ description: 'Deliveries that failed for good since the last success' }),
    goneAt: Nullable({ ...Time, description: 'When it answered 410: consider to hold it' } as typeof Time),
    waiting: Type.Integer({ description: 'Notices that are still to be sent' }),
    oldestDueAt: Nullable({ ...Time, description: 'Since when the oldest of them is due' } as typeof Time),
    last24Hours: Type.Object({ delivered: Type.Integer(), failed: Type.Integer() }),
    lastFailure: Nullable(
      Type.Object({
        deliveryId: Id,
        event: Type.String(),
        outcome: Nullable(Type.String()),
        status: Nullable(Type.Integer()),
        finishedAt: Nullable(Time),
      }),
    ),
  }),
  errors,
})

export const listWebhookSecrets = operation('GET /applications/:id/webhook/secrets', {
  ...integrations,
  summary: 'List the secrets of a webhook, newest first',
  description: `Of those that are retired the last ${limits.webhookSecretsKept}.`,
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(WebhookSecret) }),
  errors,
})

export const prepareWebhookSecret = operation('POST /applications/:id/webhook/secrets', {
  ...integrations,
  summary: 'Prepare the next secret of a webhook',
  description:
    'It is shown this once. Until it is activated the current one signs as before, and this one in the header ' +
    'X-Service-Signature-Next. Who may make a key of the application may prepare a secret of its webhook.',
  params: { id: Id },
  reply: Type.Object({ ...WebhookSecret.properties, secret: ShownSecret }),
  status: 201,
  errors: [...errors, 'APPLICATION_EXCEEDS_PERMISSIONS', 'SECRET_PREPARED'],
  limit: { bucket: 'prepare-webhook-secret', times: limits.webhookSecretsPerHour, windowSeconds: 3_600 },
})

export const activateWebhookSecret = operation('POST /applications/:id/webhook/secrets/:secretId/activate', {
  ...integrations,
  summary: 'Let a secret sign that is prepared, or that signed before and is not retired',
  description:
    'The one that signed until now is RETIRING then: it can be activated again until it is retired.',
  params: { id: Id, secretId: Id },
  reply: WebhookSecret,
  errors: [...errors, 'SECRET_NOT_FOUND', 'SECRET_RETIRED'],
})

export const retireWebhookSecret = operation('POST /applications/:id/webhook/secrets/:secretId/retire', {
  ...integrations,
  summary: 'Forget a secret that does not sign any more, or a prepared one',
  params: { id: Id, secretId: Id },
  reply: WebhookSecret,
  errors: [...errors, 'SECRET_NOT_FOUND', 'SECRET_IN_USE'],
})
