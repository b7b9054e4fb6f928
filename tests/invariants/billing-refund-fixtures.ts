import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { bookPayment } from '#server/billing/payments/payment.sql.ts'
import { currentAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantDifference } from '#tests/support/billing/payments.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** An invoice of the home's application that the sandbox collected, and its intent. */
async function collected({ server, owner, organization, mark }: Home) {
  const application = await ownApplication(server, owner)
  const userId = `user of ${mark}`
  const { id } = await plantInvoice(server, application, { userId })
  const accountId = await currentAccount(server, organization.id)
  const { customerId, gatewayMethodId: methodId } = await sandboxPayer(server, application, accountId, userId)
  const services = server.api.services
  const gateway = await gatewayOf(services, organization.id, accountId)
  const given = { amountCents: 12_100, currency: 'eur', customerId, methodId, metadata: {} }
  const { id: intentId } = await gateway.createIntent(given, newId())
  await gateway.confirmIntent(intentId, { isOffSession: true }, newId())
  await services.database.transact(organization.id, tx =>
    bookPayment(tx, {
      id: newId(),
      invoiceId: id,
      method: 'GATEWAY_CARD',
      amountCents: 12_100,
      currency: 'eur',
      paidAt: null,
      reference: null,
      attempt: { id: newId(), accountId, intentId },
    }),
  )
  return { params: { id }, userId, intentId }
}

/** A difference that only the gateway has. */
async function difference({ server, organization }: Home): Promise<string> {
  const accountId = await currentAccount(server, organization.id)
  return plantDifference(server, {
    organizationId: organization.id,
    accountId,
    objectId: `pi_${newId()}`,
    gatewayCents: 100,
  })
}

const refundOf = (home: Home, paymentIntentId: string) => ({
  amountCents: 100,
  reason: 'duplicate',
  createRectifyingInvoice: false,
  paymentIntentId,
  idempotencyKey: home.name('key'),
})

/** Valid calls of the operations that refund money; see fixtures.ts. */
export const billingRefundFixtures: Record<string, Fixture> = {
  refundInvoice: async home => {
    const { params, userId, intentId } = await collected(home)
    return { params, body: { userId, ...refundOf(home, intentId) } }
  },
  refundInvoiceByHand: async home => {
    const { params, intentId } = await collected(home)
    return { params, body: refundOf(home, intentId) }
  },
  listRefunds: async home => ({ params: (await collected(home)).params }),
  listAllRefunds: async home => {
    const { params, intentId } = await collected(home)
    await home.owner.call(refundInvoiceByHand, {
      params,
      body: { amountCents: 100, paymentIntentId: intentId },
    })
    const range = { from: '2020-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' }
    const query = { page: 1, limit: 100, ...range, currency: 'eur', status: 'SUCCEEDED', search: 'T2026' }
    return [{ query: { page: 1, limit: 100 } }, { query }]
  },
  readReconciliation: async home => {
    await difference(home)
    return {}
  },
  countPayments: async ({ organization }) => ({ params: { id: organization.id } }),
  settleDifference: async home => ({
    params: { id: await difference(home) },
    body: { reason: home.name('Reason') },
  }),
  listLedger: async home => ({ query: { invoiceId: (await collected(home)).params.id } }),
}
