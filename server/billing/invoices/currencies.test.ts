import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuthorization } from '#contract/billing/authorizations.ts'
import { chargeInvoice } from '#contract/billing/charges.ts'
import {
  createInvoice,
  createInvoiceOfUser,
  issueInvoice,
  listInvoices,
  readInvoice,
  updateInvoice,
} from '#contract/billing/invoices.ts'
import { makePublicLink } from '#contract/billing/links.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { refundInvoice } from '#contract/billing/refunds.ts'
import { createBudget, updateBudget } from '#contract/crm/budgets.ts'
import { updateIssuer } from '#contract/crm/issuer.ts'
import { createOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { plantAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { captured, defined } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let double: GatewayDouble
let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
let accountId: string
let clientId: string
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url } })
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, {
    scopes: ['crm:invoices:write', 'billing:charge', 'billing:refund'],
  })
  await plantIssuer(server, organization.id)
  const { cipher } = server.api.services
  accountId = await plantAccount(server, organization.id, {
    stripe: { cipher, ...double },
    currencies: ['jpy', 'kwd'],
  })
  clientId = (await makeClient(owner, whereabouts)).id
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(async () => {
  await server?.close()
  await double?.close()
})

const line = (unitPriceCents: number) => ({
  description: 'Work',
  unitPriceCents,
  taxes: [{ name: 'IVA', rate: '10' }],
})
const user = { name: 'Ada', ...whereabouts }

describe('a currency outside ISO 4217 is refused in every request', () => {
  const issuer = { legalName: 'Patio SL', ...whereabouts }
  const authorization = {
    userId: 'u',
    scope: 'RECURRING',
    locale: 'es',
    version: 1,
    ip: '203.0.113.7',
    userAgent: 'Test',
  } as const
  type Send = (currency: string) => Promise<{ status: number; body: unknown }>
  const inputs: Record<string, Send> = {
    createInvoice: currency => owner.send(createInvoice, { body: { clientId, currency } }),
    updateInvoice: async currency => {
      const { id } = await owner.call(createInvoice, { body: { clientId } })
      return owner.send(updateInvoice, { params: { id }, body: { currency } })
    },
    createInvoiceOfUser: currency =>
      shop.client.send(createInvoiceOfUser, { body: { userId: 'u', user, lines: [line(100)], currency } }),
    createAuthorization: currency =>
      shop.client.send(createAuthorization, { body: { ...authorization, currency } }),
    createBudget: currency => owner.send(createBudget, { body: { title: 'Web', clientId, currency } }),
    updateBudget: async currency => {
      const { id, updatedAt } = await owner.call(createBudget, { body: { title: 'Web', clientId } })
      return owner.send(updateBudget, {
        params: { id },
        body: { currency, expectedUpdatedAt: updatedAt } as never,
      })
    },
    createOpportunity: currency =>
      owner.send(createOpportunity, { body: { title: 'Web', clientId, amountCents: 100, currency } }),
    updateOpportunity: async currency => {
      const { id } = await owner.call(createOpportunity, { body: { title: 'Web', clientId } })
      return owner.send(updateOpportunity, { params: { id }, body: { amountCents: 100, currency } as never })
    },
    updateIssuer: currency => owner.send(updateIssuer, { body: { ...issuer, currency } }),
  }
  test.each(Object.entries(inputs))('%s', async (_, send) => {
    for (const currency of ['zzz', 'dem', 'hrk', 'ang', 'bgn', 'xau', 'xxx', 'EUR', 'eu']) {
      const answer = await send(currency)
      expect([currency, ...refusalOf(answer)]).toEqual([currency, 400, 'VALIDATION_ERROR'])
      expect(answer.body).toMatchObject({ details: [{ path: 'currency' }] })
    }
    // known, whatever else is wrong
    const known = await send('kwd')
    if (known.status === 400) expect(JSON.stringify(known.body)).not.toContain('"path":"currency"')
  })
})

test('data in a withdrawn currency stays readable, and no new data can use it', async () => {
  const home = await server.organization()
  const boss = await home.person({ role: 'OWNER' })
  const app = await makeApplication(server, home, { scopes: ['crm:invoices:read', 'crm:invoices:write'] })
  await plantIssuer(server, home.id)
  const { id, userId } = await plantInvoice(server, app, { currency: 'bgn', totalCents: 12_100 })
  expect(await boss.call(readInvoice, { params: { id } })).toMatchObject({
    currency: 'bgn',
    totalCents: 12_100,
  })
  expect((await boss.call(listInvoices, {})).data).toMatchObject([{ id, currency: 'bgn' }])
  const { publicUrl } = await boss.call(makePublicLink, { params: { id }, body: {} })
  const page = await fetch(`${server.url}/p/${captured(/\/p\/(.+)/, publicUrl)}`, {
    headers: { 'accept-language': 'es' },
  })
  expect((await page.text()).replaceAll('\u00a0', ' ')).toContain('121,00 BGN')
  const paid = await app.client.send(markInvoicePaid, {
    params: { id },
    body: { userId, method: 'CASH', amount: 121 },
  })
  expect(paid.status).toBe(200)

  // the issuer used it before
  await server.sql(`update crm_issuer set currency = 'bgn' where organization_id = $1`, [home.id])
  const client = (await makeClient(boss, whereabouts)).id
  for (const answer of [
    await boss.send(createInvoice, { body: { clientId: client } }),
    await boss.send(createBudget, { body: { title: 'Web', clientId: client } }),
    await app.client.send(createInvoiceOfUser, { body: { userId: 'new', user, lines: [line(100)] } }),
  ]) {
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body).toMatchObject({ details: [{ path: 'currency' }] })
  }
  const named = await boss.send(createInvoice, { body: { clientId: client, currency: 'eur' } })
  expect(named.status).toBe(201)
})

describe.each([
  // in cents, in the PDF, and the amounts that may and may not be registered
  { currency: 'jpy', cents: 1_100, printed: '1.100 JPY', part: 600, partCents: 600, never: 0.5 },
  { currency: 'kwd', cents: 1_100, printed: '1,100 KWD', part: 0.6, partCents: 600, never: 0.601 },
])('amounts in $currency', ({ currency, cents, printed, part, partCents, never }) => {
  /** An invoice of 1,100 smallest units whose user has a saved card. */
  async function issued() {
    const userId = `user ${newId()}`
    const { id, totalCents } = await shop.client.call(createInvoiceOfUser, {
      body: { userId, user: { ...user, name: userId }, lines: [line(1_000)], currency },
    })
    expect(totalCents).toBe(cents)
    return { id, userId }
  }
  const textOf = async (bytes: ArrayBuffer) =>
    (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text.replaceAll(
      '\u00a0',
      ' ',
    )

  test('have their decimals in the PDF and on the payment page', async () => {
    const { id } = await issued()
    const { publicUrl } = await owner.call(makePublicLink, { params: { id }, body: {} })
    const token = captured(/\/p\/(.+)/, publicUrl)
    const page = await fetch(`${server.url}/p/${token}`, { headers: { 'accept-language': 'es' } })
    expect((await page.text()).replaceAll('\u00a0', ' ')).toContain(printed)
    const pdf = await fetch(`${server.url}/p/${token}/pdf`)
    expect(await textOf(await pdf.arrayBuffer())).toContain(printed)
  })

  test('are registered in whole units, with the decimals of the currency', async () => {
    const { id, userId } = await issued()
    const pay = (amount: number) =>
      shop.client.send(markInvoicePaid, { params: { id }, body: { userId, method: 'CASH', amount } })
    expect(refusalOf(await pay(never))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await pay(part)).body).toMatchObject({ paidCents: partCents, dueCents: cents - partCents })
  })

  test('are sent to the gateway and back unchanged', async () => {
    const { id, userId } = await issued()
    const gateway = await gatewayOf(server.api.services, organization.id, accountId)
    const { id: customerId } = await gateway.createCustomer(
      { name: null, email: null, metadata: {} },
      newId(),
    )
    const gatewayMethodId = double.addMethod('4242424242424242')
    await plantPayer(server, shop, accountId, userId, { customerId, gatewayMethodId, currency })
    const charged = await shop.client.call(chargeInvoice, { params: { id }, body: { userId } })
    expect(charged).toMatchObject({ status: 'SUCCEEDED', amountCents: cents, currency })
    expect(double.intent(defined(charged.paymentIntentId))).toMatchObject({
      amount_received: cents,
      currency,
    })
    const refunded = await shop.client.call(refundInvoice, {
      params: { id },
      body: { userId, amountCents: 1 },
    })
    expect(refunded).toMatchObject({ status: 'SUCCEEDED', amountCents: 1, currency })
    expect(await owner.call(readInvoice, { params: { id } })).toMatchObject({
      status: 'PAID',
      refundedCents: 1,
    })
  })
})

test('an invoice of members keeps the currency of its draft when the issuer’s changes', async () => {
  const draft = await owner.call(createInvoice, { body: { clientId, lines: [line(1_000)], currency: 'kwd' } })
  const issued = await owner.call(issueInvoice, { params: { id: draft.id }, body: {} })
  expect(issued).toMatchObject({ currency: 'kwd', totalCents: 1_100 })
})
