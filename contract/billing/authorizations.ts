import Type, { type Static } from 'typebox'
import { listQuery, Paginated } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { byApplications, toEdit, toView } from './auth.ts'
import { Locale } from './consent.ts'
import { UserId } from './shapes.ts'

const alsoModule = 'card_payments' as const
const reading = {
  ...byApplications('crm:invoices:read'),
  auth: { apiKey: { scope: 'crm:invoices:read' }, ...toView.auth },
  alsoModule,
} as const
const changing = {
  ...byApplications('crm:invoices:write'),
  auth: { apiKey: { scope: 'crm:invoices:write' }, ...toEdit.auth },
  alsoModule,
} as const
const ofUser = { userId: Type.Optional(UserId) }

export const authorizationScopes = ['RECURRING', 'SINGLE'] as const

/** A card of a user, as much of it as may be shown. */
const card = {
  id: Id,
  brand: Type.String(),
  last4: Type.String(),
  expiresMonth: Type.Integer(),
  expiresYear: Type.Integer(),
  status: OneOf(['ACTIVE', 'INACTIVE'], { description: 'INACTIVE: it cannot be charged any more' }),
  createdAt: Time,
}
export const PaymentMethod = Type.Object(card)
export type PaymentMethod = Static<typeof PaymentMethod>

const authorization = {
  id: Id,
  applicationId: Id,
  userId: Type.String(),
  status: OneOf(['PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'], {
    description: 'PENDING: the user has still to give a card. Only ACTIVE ones allow charges',
  }),
  scope: OneOf(authorizationScopes, { description: 'SINGLE: for the one invoice' }),
  invoiceId: Nullable(Id),
  currency: Type.String(),
  limitCents: Nullable(Type.Integer({ description: 'At most so much at a time; null: any amount' })),
  paymentMethodId: Nullable(Id),
  consent: Type.Object({
    locale: Type.String(),
    version: Type.Integer(),
    sha256: Type.String(),
    acceptedAt: Time,
  }),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
}
/** The leave of a user to be charged when they are not there. */
export const PaymentAuthorization = Type.Object(authorization)
export type PaymentAuthorization = Static<typeof PaymentAuthorization>

export const createAuthorization = operation('POST /payment-authorizations', {
  ...byApplications('crm:invoices:write'),
  alsoModule,
  summary: 'Record that a user authorizes payments, and let them give a card',
  description:
    'Send what the user agreed to (`locale` and `version` of the consent text) and from where, as you saw it. The user then ' +
    'gives a card: on `cardUrl`, or on a page of yours with the gateway’s own form, `clientSecret` and `publishableKey`. ' +
    'Card numbers never come here. It is ACTIVE once the card was given.',
  body: {
    userId: UserId,
    scope: OneOf(authorizationScopes),
    invoiceId: Type.Optional({ ...Id, description: 'Of SINGLE' }),
    locale: Locale,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    ip: Type.String({ maxLength: 45, description: 'Of the user' }),
    userAgent: Text(limits.userAgent, 1),
    currency: Type.Optional({ ...Currency, description: 'Left out: that of the invoice, or else eur' }),
    limitCents: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.invoiceCents }))),
    expiresAt: Type.Optional(Nullable(Time)),
  },
  reply: Type.Object({
    ...authorization,
    setup: Type.Object({
      clientSecret: Type.String({ description: 'For the gateway’s form in the browser of the user' }),
      publishableKey: Nullable(Type.String()),
      cardUrl: Type.String({
        description: 'A page of ours, good for a day, from which the user comes to where the card is given',
      }),
    }),
  }),
  status: 201,
  errors: [
    'EXTERNAL_USER_NOT_FOUND',
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_STATE_INVALID',
    'INVOICE_ALREADY_PAID',
    'INVOICE_RECTIFIED',
    'GATEWAY_ACCOUNT_NOT_READY',
    'BILLING_CURRENCY_NOT_SUPPORTED',
    'CONSENT_OUTDATED',
    'TOO_MANY_AUTHORIZATIONS',
    'GATEWAY_REFUSED',
    'GATEWAY_NOT_REACHED',
  ],
})

/** A page of payment authorizations. */
export const PaymentAuthorizationList = Paginated(PaymentAuthorization)

export const listAuthorizations = operation('GET /payment-authorizations', {
  ...reading,
  summary: 'The payment authorizations of a user, the newest first',
  description: 'People name the application as well.',
  query: { ...listQuery, userId: UserId, applicationId: Type.Optional(Id) },
  reply: PaymentAuthorizationList,
})

export const readAuthorization = operation('GET /payment-authorizations/:id', {
  ...reading,
  summary: 'A payment authorization',
  description: 'Of one that is PENDING the gateway is asked whether the card was given.',
  params: { id: Id },
  query: ofUser,
  reply: PaymentAuthorization,
  errors: ['AUTHORIZATION_NOT_FOUND'],
})

export const revokeAuthorization = operation('POST /payment-authorizations/:id/revoke', {
  ...changing,
  summary: 'Take a payment authorization back',
  description: 'For good. Its card is INACTIVE then, unless another authorization of the user has it too.',
  params: { id: Id },
  body: ofUser,
  bodyOptional: true,
  reply: PaymentAuthorization,
  errors: ['AUTHORIZATION_NOT_FOUND'],
})

/** A page of cards. */
export const PaymentMethodList = Paginated(PaymentMethod)

export const listPaymentMethods = operation('GET /payment-methods', {
  ...reading,
  summary: 'The cards of a user, the newest first',
  description: 'People name the application as well.',
  query: { ...listQuery, userId: UserId, applicationId: Type.Optional(Id) },
  reply: PaymentMethodList,
})
