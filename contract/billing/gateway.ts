import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toManage } from './auth.ts'

export const gatewayAdapters = ['stripe', 'sandbox'] as const
export const GatewayAdapter = OneOf(gatewayAdapters)
const charging = { ...toManage, alsoModule: 'card_payments' } as const

const Key = (pattern: string, description: string) =>
  Type.Optional(Type.String({ maxLength: limits.gatewayKey, pattern, description }))

/** The gateway account of an organization. Its secrets are never shown. */
export const GatewayAccount = Type.Object({
  id: Id,
  adapter: OneOf(gatewayAdapters),
  status: OneOf(['PENDING', 'READY', 'DISABLED'], {
    description:
      'PENDING: nothing can be collected until the account’s owner has completed its setup at the gateway',
  }),
  currencies: Type.Array(Type.String(), { description: 'Supported currencies: ISO 4217, lower case' }),
  isTest: Type.Boolean({ description: 'No real money is moved' }),
  publishableKey: Nullable(Type.String()),
  hasWebhookSecret: Type.Boolean({
    description: 'Without a webhook secret all notices of the gateway are refused',
  }),
  noticesUrl: Type.String({ description: 'The address to which the gateway must send its notices' }),
  createdAt: Time,
  updatedAt: Time,
})
export type GatewayAccount = Static<typeof GatewayAccount>

export const readGatewayAccount = operation('GET /gateway', {
  ...charging,
  summary: 'Get the gateway account',
  reply: GatewayAccount,
  errors: ['GATEWAY_ACCOUNT_NOT_FOUND'],
})

export const connectGateway = operation('PUT /gateway', {
  ...charging,
  summary: 'Connect a gateway account or change its keys',
  description:
    'Checks with the gateway at once whether the key is valid and the account is ready. Omitted fields keep ' +
    'their values, so a request with `adapter` alone only checks again. Keys of another account replace the ' +
    'connected one: open payments and refunds are finished with the previous account, and its saved cards ' +
    'cannot be charged until it is connected again. The sandbox needs no keys and moves no money.',
  body: {
    adapter: OneOf(gatewayAdapters),
    secretKey: Key('^[sr]k_(test|live)_\\w+$', 'Stripe: the secret or restricted key of the account'),
    webhookSecret: Key(
      '^whsec_\\w+$',
      'The signing secret of the gateway’s notices, which the gateway shows for the address `noticesUrl`',
    ),
    publishableKey: Key('^pk_(test|live)_\\w+$', 'Stripe: for the card form in the browser'),
  },
  reply: GatewayAccount,
  errors: ['GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})

export const disconnectGateway = operation('DELETE /gateway', {
  ...charging,
  summary: 'Disconnect the gateway account',
  description: 'Nothing new is collected. Open payments and refunds are finished with the stored keys.',
  reply: GatewayAccount,
  errors: ['GATEWAY_ACCOUNT_NOT_FOUND'],
})

export const receiveGatewayNotice = operation('POST /gateway/notices/:organizationId/:accountId', {
  area: 'billing',
  auth: { public: true },
  summary: 'Receive a notice of the gateway',
  description:
    'The gateway signs it with the webhook secret of the account; a signature is valid for five minutes. The ' +
    'content of a notice is not trusted: the object is read from the gateway. After 200 it is processed; ' +
    'after any other reply the gateway sends it again.',
  params: { organizationId: Id, accountId: Id },
  takesRawBody: true,
  reply: Type.Object({ received: Type.Boolean() }),
  errors: ['GATEWAY_NOTICE_NOT_VALID', 'GATEWAY_NOT_REACHED'],
  limit: { bucket: 'gateway-notices', times: limits.gatewayNoticesPerMinute, windowSeconds: 60 },
})
