import type Stripe from 'stripe'
import type { Card, CardGateway, Setup } from './port.ts'
import { idOf, type StripeCall } from './stripe-responses.ts'

/** Customers, setups and cards at Stripe. */
export function cardsOf(ask: StripeCall): CardGateway {
  return {
    createCustomer: ({ name, email, metadata }, key) =>
      ask(async ({ customers }) => {
        const input = { metadata, ...(name !== null && { name }), ...(email !== null && { email }) }
        const { id } = await customers.create(input, { idempotencyKey: key })
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
    listSetupsOf: customerId =>
      ask(async ({ setupIntents }) =>
        (await setupIntents.list({ customer: customerId, limit: 100 })).data.map(setupOf),
      ),
    openCardPage: ({ customerId, metadata, backUrl }, key) =>
      ask(async ({ checkout }) => {
        const { url } = await checkout.sessions.create(
          {
            mode: 'setup',
            customer: customerId,
            allowed_payment_method_types: ['card'],
            setup_intent_data: { metadata },
            success_url: backUrl,
            cancel_url: backUrl,
          },
          { idempotencyKey: key },
        )
        return url ?? undefined
      }),
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
    detachMethod: (id, key) =>
      ask(async ({ paymentMethods }) => {
        try {
          await paymentMethods.detach(id, {}, { idempotencyKey: key })
        } catch (error) {
          if ((error as Stripe.errors.StripeError).type !== 'StripeInvalidRequestError') throw error
          // a detached card is refused without a code of its own
          const { customer } = await paymentMethods.retrieve(id)
          if (customer !== null) throw error
        }
      }),
  }
}

const setupStatuses: Record<string, Setup['status']> = { succeeded: 'succeeded', canceled: 'canceled' }

function setupOf({ id, status, client_secret, payment_method, metadata }: Stripe.SetupIntent): Setup {
  return {
    id,
    status: setupStatuses[status] ?? 'open',
    clientSecret: client_secret ?? '',
    methodId: status === 'succeeded' ? idOf(payment_method) : null,
    metadata: metadata ?? {},
  }
}
