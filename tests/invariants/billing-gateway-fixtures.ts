import { createHmac } from 'node:crypto'
import { createAuthorization } from '#contract/billing/authorizations.ts'
import { readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { connectGateway } from '#contract/billing/gateway.ts'
import { limits } from '#contract/limits.ts'
import { currentAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

let double: ReturnType<typeof openDouble> | undefined
/** A Stripe double for a home. */
async function atStripe({ server }: Home): Promise<void> {
  double ??= openDouble()
  defined(server.config.stripe).url = (await double).url
}

/** The consent of a user of the home's application, with a ready account. */
async function agreed(home: Home) {
  const { server, owner, organization, secret } = home
  const application = await ownApplication(server, owner)
  await currentAccount(server, organization.id)
  // authorizations per user are limited: each call has its own user
  const userId = home.name(`user of ${secret}`)
  const { id: invoiceId } = await plantInvoice(server, application, { userId })
  await server.sql(`delete from rate_window`)
  const { locale, version } = await application.client.call(readConsentText, { query: { locale: 'es' } })
  const consent = { locale, version, ip: '203.0.113.7', userAgent: `Browser of ${secret}` }
  return { application, userId, invoiceId, consent }
}

async function authorization(home: Home) {
  const { application, userId, consent } = await agreed(home)
  const { id, setup } = await application.client.call(createAuthorization, {
    body: { userId, scope: 'RECURRING', ...consent },
  })
  return { id, userId, applicationId: application.id, token: itemAt(setup.cardUrl.split('/c/'), 1) }
}

/** With a saved card. */
async function active({ server, owner, organization, secret, name }: Home) {
  const application = await ownApplication(server, owner)
  const accountId = await currentAccount(server, organization.id)
  const userId = name(`user of ${secret}`)
  await plantInvoice(server, application, { userId })
  const { authorizationId: id } = await sandboxPayer(server, application, accountId, userId)
  return { id, userId, applicationId: application.id }
}

const listed: Fixture = async home => {
  const { userId, applicationId } = await active(home)
  return { query: { userId, applicationId, page: 1, limit: 100 } }
}

/** Valid calls of the operations on gateway accounts, authorizations and cards; see fixtures.ts. */
export const billingGatewayFixtures: Record<string, Fixture> = {
  readGatewayAccount: async ({ server, organization }) => {
    await currentAccount(server, organization.id)
    return {}
  },
  connectGateway: async home => {
    await atStripe(home)
    return {
      body: {
        adapter: 'stripe',
        secretKey: 'sk_test_double',
        webhookSecret: 'whsec_double',
        publishableKey: 'pk_test_double',
      },
    }
  },
  disconnectGateway: async ({ server, organization }) => {
    await currentAccount(server, organization.id)
    return {}
  },
  receiveGatewayNotice: async ({ owner, organization: { id: organizationId } }) => {
    const body = { adapter: 'sandbox', webhookSecret: 'whsec_own' } as const
    const { id: accountId } = await owner.call(connectGateway, { body })
    const text = JSON.stringify({ id: 'n1', about: 'other', objectId: 'o1', intentId: null })
    const seconds = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', 'whsec_own').update(`${seconds}.${text}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'sandbox-signature': `t=${seconds},v1=${signature}`,
    }
    return { params: { organizationId, accountId }, bytes: { body: text, headers } }
  },
  readConsentText: async () => ({ query: { locale: 'en-GB' } }),
  listConsentTexts: async home => {
    const body = { locale: 'fr', text: `Agreed in ${home.secret}` }
    await home.owner.call(writeConsentText, { body })
    return { query: { limit: 100, offset: 0 } }
  },
  writeConsentText: async home => ({ body: { locale: 'pt-BR', text: `Agreed in ${home.mark}` } }),
  createAuthorization: async home => {
    const { userId, invoiceId, consent } = await agreed(home)
    const rest = {
      ...consent,
      userAgent: `Browser of ${home.mark}`,
      limitCents: 50_000,
      currency: 'eur',
      expiresAt: '2099-01-01T00:00:00.000Z',
    }
    return { body: { userId, scope: 'SINGLE', invoiceId, ...rest } }
  },
  listAuthorizations: listed,
  listPaymentMethods: listed,
  readAuthorization: async home => {
    const { id, userId } = await authorization(home)
    return { params: { id }, query: { userId } }
  },
  revokeAuthorization: async home => {
    const { id, userId } = await active(home)
    return { params: { id }, body: { userId } }
  },
  openCardPage: async home => ({ params: { token: (await authorization(home)).token } }),
  giveCard: async home => ({
    params: { token: (await authorization(home)).token },
    body: { number: '4242 4242 4242 4242'.slice(0, limits.cardNumber), expires: '12/39' },
  }),
  answerCardBank: async home => {
    const { token } = await authorization(home)
    await fetch(`${home.server.url}/c/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: '4000002500003155', expires: '12/39' }),
    })
    return { params: { token }, body: { answer: 'YES' } }
  },
}
