import type Stripe from 'stripe'
import {
  type Failure,
  GatewayMissing,
  GatewayRefused,
  GatewayUnknown,
  type Intent,
  type IntentStatus,
} from './port.ts'

export type StripeClient = InstanceType<typeof Stripe>
type RaisedError = Stripe.errors.StripeError
/** Calls Stripe and translates its errors. */
export type StripeCall = <Answer>(request: (stripe: StripeClient) => Promise<Answer>) => Promise<Answer>

/**
 * Translates the errors of a request into those of the port. A declined card and an invalid request are refusals:
 * nothing was done. No answer, an unreadable one, 5xx, 429, and a key that is in use or was used for another
 * request leave the outcome unknown, so they are GatewayUnknown.
 */
export async function translatingErrors<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    throw translate(error as RaisedError)
  }
}

const definite = new Set([
  'StripeCardError',
  'StripeInvalidRequestError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

function translate(error: RaisedError): Error {
  const { type, statusCode, code, decline_code, message, payment_intent } = error
  if (!definite.has(type)) return new GatewayUnknown(message, { cause: error })
  if (statusCode === 404) return new GatewayMissing(message)
  const failure = { code: code ?? null, declineCode: decline_code || null, message: message || null }
  // the original message contains a part of the secret key
  if (type === 'StripeAuthenticationError')
    failure.message = 'The gateway does not know this key, or it expired.'
  return new GatewayRefused(failure, payment_intent && intentOf(payment_intent as Stripe.PaymentIntent))
}

const statuses = new Set<string>([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'succeeded',
  'canceled',
] satisfies IntentStatus[])

export function intentOf(intent: Stripe.PaymentIntent): Intent {
  const { id, status, amount, amount_received, currency, client_secret, last_payment_error, metadata } =
    intent
  return {
    id,
    amountCents: amount,
    receivedCents: amount_received,
    currency,
    metadata: metadata ?? {},
    status: statuses.has(status) ? (status as IntentStatus) : 'processing',
    clientSecret: client_secret ?? '',
    failure: last_payment_error ? failureOf(last_payment_error) : null,
  }
}

function failureOf({
  code,
  decline_code,
  message,
}: NonNullable<Stripe.PaymentIntent['last_payment_error']>): Failure {
  return { code: code ?? null, declineCode: decline_code || null, message: message ?? null }
}

/** The id of an object that is either expanded or an id. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
