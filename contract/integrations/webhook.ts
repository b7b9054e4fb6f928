import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

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
      'CURRENT signs deliveries; PREPARED also signs them, in X-Service-Signature-Next; RETIRING signed before and can ' +
      'be activated again; RETIRED was deleted',
  }),
  createdAt: Time,
  stateSince: Time,
})
export type WebhookSecret = Static<typeof WebhookSecret>

const webhook = {
  url: Type.String(),
  events: Type.Array(Type.String()),
  maxPerSecond: Nullable(
    Type.Integer({ description: 'Deliveries per second. Null: as many as the receiver answers quickly' }),
  ),
  ordered: Type.Boolean({ description: 'One delivery at a time, in order' }),
  standardHeaders: Type.Boolean({
    description: 'Every delivery also carries webhook-id, webhook-timestamp and webhook-signature',
  }),
  status: OneOf(webhookStatuses, {
    description: 'HELD: deliveries are paused and wait until the webhook is resumed',
  }),
  heldReason: Nullable(
    OneOf(heldReasons, { description: 'FAILING: deliveries failed for too long; PERSON: someone paused it' }),
  ),
  heldAt: Nullable(Time),
  updatedAt: Time,
}

/** The URL to which an application receives events. */
export const Webhook = Type.Object(webhook)
export type Webhook = Static<typeof Webhook>

const ShownSecret = Type.String({ description: 'The signing secret. Store it: it is not shown again' })

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const
const errors = ['APPLICATION_NOT_FOUND', 'WEBHOOK_NOT_FOUND'] as const

export const setWebhook = operation('PUT /applications/:id/webhook', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Set the webhook of an application: its URL and its events',
  description:
    'The URL must be https on the public internet and contain no user name or password; http is allowed only for ' +
    'networks in the setting `WEBHOOK_NETWORKS`. Events are named as in the catalogue, in capitals; some need a scope ' +
    'that the application must have. The first call creates a signing secret and answers 201. Absent fields return to ' +
    'their defaults. To create a webhook, change its URL or add an event, the caller must be an administrator, or the ' +
    'principal who holds every permission that the scopes of the application and the events stand for.',
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
          'Send one delivery at a time, in order: the next one is sent when the previous one was delivered or finally ' +
          'failed. A retry delays all deliveries after it',
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
  summary: 'Read the webhook of an application',
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const removeWebhook = operation('DELETE /applications/:id/webhook', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Delete the webhook of an application',
  description: 'Deletes its secrets and cancels waiting deliveries. Past deliveries can still be read.',
  params: { id: Id },
  errors,
})

export const holdWebhook = operation('POST /applications/:id/webhook/hold', {
  announces: { event: 'webhook-endpoint.changed', id: 'id' },
  ...integrations,
  summary: 'Pause a webhook',
  description: `Deliveries wait until the webhook is resumed; after ${limits.webhookRetentionDays} days they are dropped. Pausing a paused webhook changes nothing.`,
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const resumeWebhook = operation('POST /applications/:id/webhook/resume', {
  announces: { event: 'webhook-endpoint.changed', id: 'id' },
  ...integrations,
  summary: 'Resume a paused webhook',
  description: 'Sends the waiting deliveries first: one at a time, and more as the receiver answers.',
  params: { id: Id },
  reply: Webhook,
  errors,
})

export const testWebhook = operation('POST /applications/:id/webhook/test', {
  ...integrations,
  summary: 'Send a test event to a webhook',
  description:
    'The delivery takes the same path as every other one and is listed with the `eventId` of this reply.',
  params: { id: Id },
  reply: Type.Object({ event: Type.String(), eventId: Id }),
  errors: [...errors, 'WEBHOOK_HELD'],
  limit: { bucket: 'test-webhook', times: limits.webhookTestsPerHour, windowSeconds: 3_600 },
})

export const readWebhookHealth = operation('GET /applications/:id/webhook/health', {
  ...integrations,
  summary: 'Read the health of a webhook',
  description: `Counts cover the newest ${limits.webhookCounted} deliveries.`,
  params: { id: Id },
  reply: Type.Object({
    status: OneOf(webhookStatuses),
    heldReason: Nullable(OneOf(heldReasons)),
    heldAt: Nullable(Time),
    lastDeliveredAt: Nullable({ ...Time, description: 'With a precision of ten seconds' } as typeof Time),
    failingSince: Nullable({
      ...Time,
      description: 'The first failure since the last success',
    } as typeof Time),
    failedInRow: Type.Integer({ description: 'Deliveries that finally failed since the last success' }),
    goneAt: Nullable({
      ...Time,
      description: 'When the receiver last answered 410 Gone: consider pausing or deleting the webhook',
    } as typeof Time),
    waiting: Type.Integer({ description: 'Deliveries that are still to be sent' }),
    oldestDueAt: Nullable({ ...Time, description: 'When the oldest of them was due' } as typeof Time),
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
  description: `Includes the last ${limits.retiredWebhookSecretsMax} retired secrets.`,
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(WebhookSecret) }),
  errors,
})

export const prepareWebhookSecret = operation('POST /applications/:id/webhook/secrets', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Prepare the next secret of a webhook',
  description:
    'The secret is shown only once. Until it is activated, the current secret signs as before, and this one signs in ' +
    'the header X-Service-Signature-Next. Requires the same permissions as creating a key of the application.',
  params: { id: Id },
  reply: Type.Object({ ...WebhookSecret.properties, secret: ShownSecret }),
  status: 201,
  errors: [...errors, 'APPLICATION_EXCEEDS_PERMISSIONS', 'SECRET_PREPARED'],
  limit: { bucket: 'prepare-webhook-secret', times: limits.webhookSecretsPerHour, windowSeconds: 3_600 },
})

export const activateWebhookSecret = operation('POST /applications/:id/webhook/secrets/:secretId/activate', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Activate a prepared or retiring secret',
  description: 'The previous secret becomes RETIRING: it can be activated again until it is retired.',
  params: { id: Id, secretId: Id },
  reply: WebhookSecret,
  errors: [...errors, 'SECRET_NOT_FOUND', 'SECRET_RETIRED'],
})

export const retireWebhookSecret = operation('POST /applications/:id/webhook/secrets/:secretId/retire', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Retire a prepared or retiring secret',
  params: { id: Id, secretId: Id },
  reply: WebhookSecret,
  errors: [...errors, 'SECRET_NOT_FOUND', 'SECRET_IN_USE'],
})
