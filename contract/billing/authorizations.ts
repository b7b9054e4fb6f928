import type { Static } from 'typebox'
import { listQuery, Paginated } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
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

/** The parts of a card that may be shown. */
const card = {
  id: Id,
  brand: Type.String(),
  last4: Type.String(),
  expiresMonth: Type.Integer(),
  expiresYear: Type.Integer(),
  status: OneOf(['ACTIVE', 'INACTIVE'], { description: 'INACTIVE: it can no longer be charged' }),
  createdAt: Time,
}
export const PaymentMethod = Type.Object(card)
export type PaymentMethod = Static<typeof PaymentMethod>

const authorization = {
  id: Id,
  applicationId: Id,
  userId: Type.String(),
  status: OneOf(['PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'], {
    description: 'PENDING: the user still has to enter a card. Only ACTIVE authorizations allow charges',
  }),
  scope: OneOf(authorizationScopes, { description: 'SINGLE: for one invoice only' }),
  invoiceId: Nullable(Id),
  currency: Type.String(),
  limitCents: Nullable(
    Type.Integer({ description: 'The most that one charge may collect; null: any amount' }),
  ),
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
/** The permission of a user to be charged while they are absent. */
export const PaymentAuthorization = Type.Object(authorization)
export type PaymentAuthorization = Static<typeof PaymentAuthorization>

export const createAuthorization = operation('POST /payment-authorizations', {
  ...byApplications('crm:invoices:write'),
  alsoModule,
  summary: 'Create a payment authorization',
  description:
    'Send what the user agreed to (`locale` and `version` of the consent text) and the user’s IP address and ' +
    'user agent. The user then enters a card on `cardUrl`, or on your own page with the gateway’s form, ' +
    '`clientSecret` and `publishableKey`. Card numbers never reach this server. The authorization becomes ' +
    'ACTIVE once the card is saved.',
  body: {
    userId: UserId,
    scope: OneOf(authorizationScopes),
    invoiceId: Type.Optional({ ...Id, description: 'Required with SINGLE' }),
    locale: Locale,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    ip: Type.String({ maxLength: 45, description: 'The IP address of the user' }),
    userAgent: Text(limits.userAgent, 1),
    currency: Type.Optional({
      ...Currency,
      description: 'Defaults to the currency of the invoice, otherwise eur',
    }),
    limitCents: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.invoiceCents }))),
    expiresAt: Type.Optional(Nullable(Time)),
  },
  reply: Type.Object({
    ...authorization,
    setup: Type.Object({
      clientSecret: Type.String({ description: 'For the gateway’s form in the user’s browser' }),
      publishableKey: Nullable(Type.String()),
      cardUrl: Type.String({
        description: 'A page on this server, valid for a day, that leads the user to the card form',
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
  summary: 'List the payment authorizations of a user, newest first',
  description: 'Members also name the application.',
  query: { ...listQuery, userId: UserId, applicationId: Type.Optional(Id) },
  reply: PaymentAuthorizationList,
})

export const readAuthorization = operation('GET /payment-authorizations/:id', {
  ...reading,
  summary: 'Get a payment authorization',
  description: 'For a PENDING authorization the gateway is asked whether the card was saved.',
  params: { id: Id },
  query: ofUser,
  reply: PaymentAuthorization,
  errors: ['AUTHORIZATION_NOT_FOUND'],
})

export const revokeAuthorization = operation('POST /payment-authorizations/:id/revoke', {
  ...changing,
  summary: 'Revoke a payment authorization',
  description:
    'This cannot be undone. The card becomes INACTIVE, unless another authorization of the user has it too.',
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
  summary: 'List the saved cards of a user, newest first',
  description: 'Members also name the application.',
  query: { ...listQuery, userId: UserId, applicationId: Type.Optional(Id) },
  reply: PaymentMethodList,
})
