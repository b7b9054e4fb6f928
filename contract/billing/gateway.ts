import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { toManage } from './auth.ts'

export const gatewayAdapters = ['stripe', 'sandbox'] as const
export const GatewayAdapter = OneOf(gatewayAdapters)
const charging = { ...toManage, alsoModule: 'card_payments' } as const

const Key = (pattern: string, description: string) =>
  Type.Optional(Type.String({ maxLength: limits.gatewayKey, pattern, description }))

/** The account at a payment gateway with which the organization collects. Its secrets are never shown. */
export const GatewayAccount = Type.Object({
  id: Id,
  adapter: OneOf(gatewayAdapters),
  status: OneOf(['PENDING', 'READY', 'DISABLED'], {
    description: 'PENDING: nothing can be collected until its owner has told the gateway what it asks for',
  }),
  currencies: Type.Array(Type.String(), { description: 'What it collects in: ISO 4217, small letters' }),
  isTest: Type.Boolean({ description: 'No real money is moved' }),
  publishableKey: Nullable(Type.String()),
  hasWebhookSecret: Type.Boolean({ description: 'Without it no notice of the gateway is believed' }),
  noticesUrl: Type.String({ description: 'Where the gateway is to send its notices' }),
  createdAt: Time,
  updatedAt: Time,
})
export type GatewayAccount = Static<typeof GatewayAccount>

export const readGatewayAccount = operation('GET /gateway', {
  ...charging,
  summary: 'The account with which the organization collects',
  reply: GatewayAccount,
  errors: ['GATEWAY_ACCOUNT_NOT_FOUND'],
})

export const connectGateway = operation('PUT /gateway', {
  ...charging,
  summary: 'Connect an account at a gateway, or change its keys',
  description:
    'The gateway is asked at once whether it knows the key and is ready. What is left out stays as it is, so that a call ' +
    'with `adapter` alone looks again. Keys of another account take its place: what was begun with the one before is ' +
    'finished there, and cards that it keeps cannot be charged until it is connected again. The sandbox needs no keys and moves no money.',
  body: {
    adapter: OneOf(gatewayAdapters),
    secretKey: Key('^[sr]k_(test|live)_\\w+$', 'Stripe: the secret or restricted key of the account'),
    webhookSecret: Key(
      '^whsec_\\w+$',
      'What signs its notices. Given by the gateway for the address `noticesUrl`',
    ),
    publishableKey: Key('^pk_(test|live)_\\w+$', 'Stripe: for pages on which a card is given'),
  },
  reply: GatewayAccount,
  errors: ['GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})

export const disconnectGateway = operation('DELETE /gateway', {
  ...charging,
  summary: 'Collect nothing any more',
  description: 'What was begun is finished with the keys that there are.',
  reply: GatewayAccount,
  errors: ['GATEWAY_ACCOUNT_NOT_FOUND'],
})

export const receiveGatewayNotice = operation('POST /gateway/notices/:organizationId/:accountId', {
  area: 'billing',
  auth: { public: true },
  summary: 'Where a gateway tells that something happened',
  description:
    'Signed by the gateway with the webhook secret of the account, for five minutes. A notice is a hint: what it is about ' +
    'is read from the gateway. 200 says that it was looked into; anything else, send it again.',
  params: { organizationId: Id, accountId: Id },
  takesRawBody: true,
  reply: Type.Object({ received: Type.Boolean() }),
  errors: ['GATEWAY_NOTICE_NOT_VALID', 'GATEWAY_NOT_REACHED'],
  limit: { bucket: 'gateway-notices', times: limits.gatewayNoticesPerMinute, windowSeconds: 60 },
})
