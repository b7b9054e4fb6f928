import { events, type ForApplications } from '#contract/events.ts'
import type { ApplicationEventName } from '#contract/integrations/event-examples.ts'
import { Id, Time } from '#contract/shapes.ts'
import { Type } from '#contract/type.ts'
import { catalogue } from '../integrations/area.ts'
import type { Components, Json } from './components.ts'

const text = { type: 'string' }

/** The headers of every delivery, as parameters by their component names. */
export function deliveryHeaders(prefix: string): Record<string, Json> {
  const header = (name: string, description: string, isRequired = true) => ({
    name: `${prefix}${name}`,
    in: 'header',
    ...(isRequired && { required: true }),
    description,
    schema: text,
  })
  return {
    WebhookSignature: header('Signature', '`sha256=` and the HMAC-SHA-256 of `<timestamp>.<body>` in hex'),
    WebhookSignatureNext: header('Signature-Next', 'The same with the prepared secret', false),
    WebhookTimestamp: header('Timestamp', 'When this attempt was sent, in milliseconds since 1970'),
    WebhookEvent: header('Event', 'The name of the event'),
    WebhookDeliveryId: header('Delivery-Id', 'The same in every attempt: drop repeated deliveries'),
    WebhookSchemaVersion: header('Schema-Version', 'The version of `data`'),
  }
}

export const webhookResponses = {
  Received: {
    description:
      'Received. 5xx, 408, 425 and 429 are retried after 5, 10, 20 and 40 seconds; any other reply is final.',
  },
}

/** The fields that the bodies of all events share. */
const WebhookEnvelope = Type.Object({
  timestamp: Time,
  app: Type.Object({ id: Id, slug: Type.String() }),
  meta: Type.Object({ schemaVersion: Type.String() }),
})

/** A webhook for each event for applications. */
export function webhooksOf(components: Components, headerNames: readonly string[]): Json {
  const parameters = headerNames.map(name => ({ $ref: `#/components/parameters/${name}` }))
  const envelope = components.name('WebhookEnvelope', WebhookEnvelope)
  const list = catalogue.map(({ event, scope, schemaVersion, when, example }) => {
    const { data } = events[event as ApplicationEventName] as ForApplications
    const schema = {
      allOf: [
        envelope,
        {
          type: 'object',
          required: ['event', 'data'],
          properties: {
            event: { type: 'string', const: event },
            data: components.name(`${nameOf(event)}Data`, data),
          },
        },
      ],
    }
    const post = {
      operationId: `on${nameOf(event)}`,
      tags: ['webhooks'],
      summary: when,
      description: `Schema version \`${schemaVersion}\`.${scope ? ` Needs \`${scope}\`.` : ''}`,
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example } },
      },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
    }
    return [event, { post }]
  })
  return Object.fromEntries(list)
}

function nameOf(event: string): string {
  return event
    .toLowerCase()
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
