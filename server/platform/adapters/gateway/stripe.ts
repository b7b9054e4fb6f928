import type { Agent } from 'node:http'
import type Stripe from 'stripe'
import type { Gateway, GatewayCredentials, GatewayNotification, Intent } from './port.ts'
import { cardsOf } from './stripe-cards.ts'
import { movementsOf } from './stripe-movements.ts'
import { refundsOf } from './stripe-refunds.ts'
import { idOf, intentOf, type StripeCall, type StripeClient, translatingErrors } from './stripe-responses.ts'

/** The address and timeout of Stripe; set by tests only. */
export type StripeEndpoint = { url?: string; timeoutMs?: number }

const apiVersion = '2026-10-28.endive'
const defaultTimeoutMs = 20_000
const noticeSeconds = 300
/**
 * Stripe uses another smallest unit than ISO 4217 for these currencies, so amounts would be wrong by a factor of a
 * hundred.
 */
const nonIsoUnits = new Set(['isk', 'mga', 'ugx'])

/**
 * An account at Stripe. A request is repeated only when Stripe never saw it: the SDK repeats a request with its key
 * when the connection was closed. Any other unknown result is for the caller to read.
 */
export function openStripe(
  { secretKey, webhookSecret }: Pick<GatewayCredentials, 'secretKey' | 'webhookSecret'>,
  { url, timeoutMs = defaultTimeoutMs }: StripeEndpoint,
  publicUrl: string,
  httpAgent?: Agent,
): Gateway {
  let opened: Promise<StripeClient> | undefined
  // the SDK is loaded on first use
  const client = () => {
    opened ??= import('stripe').then(({ default: Stripe }) => {
      const place = url === undefined ? undefined : new URL(url)
      return new Stripe(secretKey ?? '', {
        apiVersion,
        timeout: timeoutMs,
        maxNetworkRetries: 0,
        telemetry: false,
        ...(place && {
          host: place.hostname,
          port: place.port,
          protocol: place.protocol.slice(0, -1) as Stripe.HttpProtocol,
        }),
        ...(httpAgent && { httpAgent }),
      })
    })
    return opened
  }
  const ask = <Answer>(request: (stripe: StripeClient) => Promise<Answer>) =>
    translatingErrors(async () => request(await client()))
  return {
    ...cardsOf(ask),
    ...intents(ask, publicUrl),
    ...refundsOf(ask),
    readAccount: () =>
      ask(async stripe => {
        const { id, charges_enabled, country } = await stripe.accounts.retrieveCurrent()
        if (!charges_enabled || !country) return { id, isReady: false, currencies: [] }
        const { supported_payment_currencies } = await stripe.countrySpecs.retrieve(country)
        const currencies = supported_payment_currencies.filter(currency => !nonIsoUnits.has(currency))
        return { id, isReady: true, currencies }
      }),
    async *listMovements(from, to) {
      yield* movementsOf(await client(), from, to)
    },
    async readNotice(body, headers) {
      const signature = headers['stripe-signature']
      if (webhookSecret === null || typeof signature !== 'string') return undefined
      const { webhooks } = await client()
      try {
        return noticeOf(webhooks.constructEvent(body, signature, webhookSecret, noticeSeconds))
      } catch {
        return undefined
      }
    },
  }
}

function intents(
  ask: StripeCall,
  publicUrl: string,
): Pick<Gateway, 'createIntent' | 'confirmIntent' | 'readIntent' | 'cancelIntent'> {
  return {
    createIntent: ({ amountCents, currency, customerId, methodId, metadata }, key) =>
      ask(async ({ paymentIntents }) =>
        intentOf(
          await paymentIntents.create(
            {
              amount: amountCents,
              currency,
              allowed_payment_method_types: ['card'],
              metadata,
              ...(customerId !== null && { customer: customerId }),
              ...(methodId !== null && { payment_method: methodId }),
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    confirmIntent: (id, { methodId, isOffSession }, key) =>
      ask(async ({ paymentIntents }) =>
        intentOf(
          await paymentIntents.confirm(
            id,
            {
              ...(methodId !== undefined && { payment_method: methodId }),
              ...(isOffSession && { off_session: true }),
              // required for intents whose payment method types follow the account, even without a redirect
              return_url: publicUrl,
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    readIntent: id => ask(async ({ paymentIntents }) => intentOf(await paymentIntents.retrieve(id))),
    cancelIntent: (id, key) =>
      ask(async ({ paymentIntents }) => {
        try {
          return intentOf(await paymentIntents.cancel(id, {}, { idempotencyKey: key }))
        } catch (error) {
          const { code, payment_intent } = error as Stripe.errors.StripeError
          // it came too late
          if (code !== 'payment_intent_unexpected_state') throw error
          return payment_intent
            ? intentOf(payment_intent as Stripe.PaymentIntent)
            : intentOf(await paymentIntents.retrieve(id))
        }
      }) satisfies Promise<Intent>,
  }
}

function noticeOf({ id, data: { object } }: Stripe.Event): GatewayNotification {
  const about = object as unknown as {
    object: string
    id: string
    payment_intent?: string | { id: string } | null
  }
  const kinds: Record<string, GatewayNotification['about']> = {
    payment_intent: 'intent',
    setup_intent: 'setup',
    refund: 'refund',
    dispute: 'dispute',
    account: 'account',
  }
  const kind = kinds[about.object] ?? 'other'
  return {
    id,
    about: kind,
    objectId: about.id,
    intentId: kind === 'intent' ? about.id : idOf(about.payment_intent),
  }
}
