import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import { makePublicLink } from '#contract/billing/links.ts'
import { payByLink } from '#contract/billing/pay-page.ts'
import { cards, currentAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { captured } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** An invoice of the home's application whose user has a saved card, and that card. */
async function chargeable({ server, owner, organization, mark }: Home) {
  const application = await ownApplication(server, owner)
  const userId = `user of ${mark}`
  const invoice = await plantInvoice(server, application, { userId })
  const accountId = await currentAccount(server, organization.id)
  const payer = await sandboxPayer(server, application, accountId, userId)
  return { params: { id: invoice.id }, userId, payer }
}

const chosen = async (home: Home) => {
  const { params, userId, payer } = await chargeable(home)
  const { authorizationId: paymentAuthorizationId, methodId: paymentMethodId } = payer
  return {
    params,
    userId,
    body: { paymentAuthorizationId, paymentMethodId, idempotencyKey: home.name('key') },
  }
}

/** The token of a public link. */
async function payLink(home: Home): Promise<string> {
  const { params } = await chargeable(home)
  const { publicUrl } = await home.owner.call(makePublicLink, { params, body: {} })
  return captured(/\/p\/(.+)/, publicUrl)
}

/** Valid calls of the operations that collect money; see fixtures.ts. */
export const billingChargeFixtures: Record<string, Fixture> = {
  chargeInvoice: async home => {
    const { params, userId, body } = await chosen(home)
    return { params, body: { userId, ...body } }
  },
  chargeInvoiceByHand: async home => {
    const { params, body } = await chosen(home)
    return { params, body }
  },
  payInvoice: async home => {
    const { params, userId } = await chargeable(home)
    return { params, body: { userId } }
  },
  openPayPage: async home => ({ params: { token: await payLink(home) } }),
  openPayDocument: async home => ({ params: { token: await payLink(home) } }),
  payByLink: async home => ({
    params: { token: await payLink(home) },
    body: { number: cards.good, expires: '12/40' },
  }),
  answerByLink: async home => {
    const params = { token: await payLink(home) }
    await home.server.client().call(payByLink, { params, body: { number: cards.asks, expires: '12/40' } })
    return { params, body: { isYou: 'yes' } }
  },
  listAllCharges: async home => {
    const { params, body } = await chosen(home)
    await home.owner.call(chargeInvoiceByHand, { params, body })
    const range = { from: '2020-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' }
    const query = { page: 1, limit: 100, ...range, currency: 'eur', status: 'SUCCEEDED', search: 'T2026' }
    return [{ query: { page: 1, limit: 100 } }, { query }]
  },
  listCharges: async home => ({ params: (await chargeable(home)).params }),
}
