import type { Agent } from 'node:http'
import type Stripe from 'stripe'
import type { Card, Gateway, GatewayAccount, GatewayRefund, Intent, Notice, Setup } from './port.ts'
import { intentOf, type StripeClient, translated } from './stripe-answers.ts'
import { movementsOf } from './stripe-movements.ts'

/** Where Stripe answers, and how long it may take: both for tests only. */
export type StripePlace = { url?: string; timeoutMs?: number }

const apiVersion = '2026-10-28.endive'
const answerMs = 20_000
const noticeSeconds = 300

/**
 * An account at Stripe, by its secret key. Nothing is asked twice but what Stripe never saw: the SDK sends a request
 * again, with its key, when the connection was closed, and what else comes of a request is for the caller to look into.
 */
export function openStripe(
  { secretKey, webhookSecret }: Pick<GatewayAccount, 'secretKey' | 'webhookSecret'>,
  { url, timeoutMs = answerMs }: StripePlace = {},
  httpAgent?: Agent,
): Gateway {
  let opened: Promise<StripeClient> | undefined
  // the SDK is loaded when it is needed first
  const client = () => {
    opened ??= import('stripe').then(({ default: Stripe }) => {
      const place = url === undefined ? undefined : new URL(url)
      return new Stripe(secretKey ?? '', {
        ...{ apiVersion, timeout: timeoutMs, maxNetworkRetries: 0, telemetry: false },
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
    translated(async () => request(await client()))
  return {
    ...cards(ask),
    ...intents(ask),
    ...refunds(ask),
    readAccount: () =>
      ask(async stripe => {
        const { id, charges_enabled, country } = await stripe.accounts.retrieveCurrent()
        if (!charges_enabled || !country) return { id, isReady: false, currencies: [] }
        const { supported_payment_currencies } = await stripe.countrySpecs.retrieve(country)
        return { id, isReady: true, currencies: supported_payment_currencies }
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

type Ask = <Answer>(request: (stripe: StripeClient) => Promise<Answer>) => Promise<Answer>

function cards(ask: Ask): Pick<Gateway, 'createCustomer' | 'createSetup' | 'readSetup' | 'readMethod'> {
  return {
    createCustomer: ({ name, email, metadata }, key) =>
      ask(async ({ customers }) => {
        const given = { metadata, ...(name !== null && { name }), ...(email !== null && { email }) }
        const { id } = await customers.create(given, { idempotencyKey: key })
        return { id }
      }),
    createSetup: ({ customerId, metadata }, key) =>
      ask(async ({ setupIntents }) =>
        setupOf(
          await setupIntents.create(
            { customer: customerId, usage: 'off_session', allowed_payment_method_types: ['card'], metadata },
            { idempotencyKey: key },
          ),
        ),
      ),
    readSetup: id => ask(async ({ setupIntents }) => setupOf(await setupIntents.retrieve(id))),
    readMethod: id =>
      ask(async ({ paymentMethods }) => {
        const { card } = await paymentMethods.retrieve(id)
        return {
          id,
          brand: card?.brand ?? 'unknown',
          last4: card?.last4 ?? '',
          expiresMonth: card?.exp_month ?? 12,
          expiresYear: card?.exp_year ?? 9999,
        } satisfies Card
      }),
  }
}

function intents(ask: Ask): Pick<Gateway, 'createIntent' | 'confirmIntent' | 'readIntent' | 'cancelIntent'> {
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
    confirmIntent: (id, { methodId, isOffSession, returnUrl }, key) =>
      ask(async ({ paymentIntents }) =>
        intentOf(
          await paymentIntents.confirm(
            id,
            {
              ...(methodId !== undefined && { payment_method: methodId }),
              ...(isOffSession && { off_session: true }),
              ...(returnUrl !== undefined && { return_url: returnUrl }),
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

function refunds(ask: Ask): Pick<Gateway, 'createRefund' | 'readRefund' | 'listRefundsOf'> {
  return {
    createRefund: ({ intentId, amountCents, reason, metadata }, key) =>
      ask(async ({ refunds }) =>
        refundOf(
          await refunds.create(
            {
              payment_intent: intentId,
              amount: amountCents,
              metadata,
              ...(reason !== null && { reason: reason as Stripe.RefundCreateParams.Reason }),
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    readRefund: id => ask(async ({ refunds }) => refundOf(await refunds.retrieve(id))),
    listRefundsOf: intentId =>
      ask(async ({ refunds }) => {
        const found: GatewayRefund[] = []
        for await (const refund of refunds.list({ payment_intent: intentId, limit: 100 }))
          found.push(refundOf(refund))
        return found
      }),
  }
}

const setupStatuses: Record<string, Setup['status']> = { succeeded: 'succeeded', canceled: 'canceled' }

function setupOf({ id, status, client_secret, payment_method }: Stripe.SetupIntent): Setup {
  return {
    id,
    status: setupStatuses[status] ?? 'open',
    clientSecret: client_secret ?? '',
    methodId: status === 'succeeded' ? idOf(payment_method) : null,
  }
}

const refundStatuses: Record<string, GatewayRefund['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
}

function refundOf(refund: Stripe.Refund): GatewayRefund {
  const { id, payment_intent, amount, currency, status, failure_reason, metadata } = refund
  return {
    ...{ id, intentId: idOf(payment_intent) ?? '', amountCents: amount, currency, metadata: metadata ?? {} },
    // `requires_action` waits too: for the holder to say where the money goes
    status: refundStatuses[status ?? ''] ?? 'pending',
    failureCode: failure_reason ?? null,
  }
}

function noticeOf({ id, data: { object } }: Stripe.Event): Notice {
  const about = object as unknown as {
    object: string
    id: string
    payment_intent?: string | { id: string } | null
  }
  const kinds: Record<string, Notice['about']> = {
    ...{ payment_intent: 'intent', setup_intent: 'setup', refund: 'refund' },
    ...{ dispute: 'dispute', account: 'account' },
  }
  const kind = kinds[about.object] ?? 'other'
  return {
    ...{ id, about: kind, objectId: about.id },
    intentId: kind === 'intent' ? about.id : idOf(about.payment_intent),
  }
}

function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
