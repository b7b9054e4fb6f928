import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAuthorization, readAuthorization } from '#contract/billing/authorizations.ts'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { readConsentText } from '#contract/billing/consent.ts'
import { billingEvents } from '#contract/billing/events.ts'
import { connectGateway } from '#contract/billing/gateway.ts'
import {
  createInvoiceOfUser,
  issueInvoice,
  listInvoices,
  readInvoice,
  rectifyInvoice,
} from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import { refundInvoice, refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { sendInvoice } from '#contract/billing/sending.ts'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { verifyWebhook, WebhookRefused } from '#sdk/webhook.ts'
import { reconcile } from '#server/billing/reconciliation/reconcile.ts'
import { cards } from '#tests/support/billing/charges.ts'
import { line } from '#tests/support/billing/invoices.ts'
import { browsable, openBrowser, openProfile } from '#tests/support/browser.ts'
import { setIssuer } from '#tests/support/crm/budgets.ts'
import { atLeast, defined } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { openReceiver, type WebhookReceiver } from '#tests/support/integrations/receiver.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { until } from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let receiver: WebhookReceiver
let owner: Person
let shop: TestApplication
let secret: string
let accountId: string
let browser: Browser
beforeAll(async () => {
  receiver = await openReceiver()
  server = await startTestServer({ ...(await browsable()), webhookNetworks: ['127.0.0.0/8', '::1/128'] })
  const organization = await server.organization({ name: 'Harbour Books' })
  owner = await organization.person({ role: 'OWNER' })
  await setIssuer(owner)
  accountId = (await owner.call(connectGateway, { body: { adapter: 'sandbox' } })).id
  shop = await makeApplication(server, organization, {
    principal: owner,
    scopes: [
      'crm:invoices:read',
      'crm:invoices:send',
      'crm:invoices:write',
      'billing:charge',
      'billing:refund',
    ],
  })
  const webhook = await owner.call(setWebhook, {
    params: { id: shop.id },
    body: { url: `${receiver.url}/shop`, events: Object.keys(billingEvents) },
  })
  secret = (webhook as unknown as { secret: string }).secret
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await receiver?.close()
})
beforeEach(() => server.sql('delete from rate_window'))

type WebhookEvent = { event: string; data: { invoiceId: string; sequence: number; [name: string]: unknown } }
/** Waits for this many webhook events of an invoice, and verifies their signatures. */
async function eventsOf(
  invoiceId: string,
  names: (keyof typeof billingEvents)[],
): Promise<WebhookEvent['data'][]> {
  const matching = () =>
    receiver.received
      .map(notice => ({ ...notice, received: JSON.parse(notice.body) as WebhookEvent }))
      .filter(({ received }) => received.data.invoiceId === invoiceId)
  await until(`${names.join(', ')} of the invoice`, () => matching().length >= names.length)
  const notices = matching().sort((a, b) => a.received.data.sequence - b.received.data.sequence)
  for (const { body, headers, event, deliveryId } of notices) {
    expect(verifyWebhook(body, headers, secret)).toMatchObject({ event, deliveryId })
    expect(() => verifyWebhook(`${body} `, headers, secret)).toThrow(WebhookRefused)
    expect(() => verifyWebhook(body, headers, 'whsec_another')).toThrow(WebhookRefused)
  }
  expect(notices.map(({ received: { event } }) => event)).toEqual(names)
  return notices.map(({ received: { data } }) => data)
}

/** A draft of 121.00 for a new user. */
function draftFor(userId: string) {
  const user = {
    name: `Ada ${userId}`,
    company: `Engines ${userId}`,
    email: `${userId}@engines.test`,
    taxId: 'B12345674',
    address: 'Calle Mayor 1',
    city: 'Bilbao',
    postalCode: '48001',
    country: 'ES',
  }
  return shop.client.call(createInvoiceOfUser, { body: { userId, user, lines: [line], issue: false } })
}

test('an invoice from draft to payment and rectification, by a member and an application', async () => {
  const userId = 'ada'
  const draft = await draftFor(userId)
  expect(draft).toMatchObject({ status: 'DRAFT', number: null, totalCents: 12_100, userId })
  const params = { id: draft.id }
  const { number } = await shop.client.call(issueInvoice, { params, body: { userId } })
  expect(number).toMatch(/^F\d{4}-000001$/)

  const sent = await shop.client.call(sendInvoice, { params, body: { userId } })
  expect(sent).toMatchObject({ sent: true, recipients: ['ada@engines.test'] })
  const [mail] = mailsTo(server, 'ada@engines.test')
  expect(mail).toContain(`filename=${number}.pdf`)

  const pay = (body: object) =>
    shop.client.call(markInvoicePaid, { params, body: { userId, method: 'TRANSFER', ...body } })
  expect(await pay({ amount: 21, reference: 'BX-7' })).toMatchObject({
    status: 'PARTIALLY_PAID',
    dueCents: 10_000,
  })
  expect(await pay({})).toMatchObject({ status: 'PAID', dueCents: 0 })

  // members correct it: half of the work was not done
  const lines = [{ ...line, unitPriceCents: -5_000 }]
  const rectifyingDraft = await owner.call(rectifyInvoice, {
    params,
    body: { reason: 'Half of it was done', lines },
  })
  const rectifying = await owner.call(issueInvoice, { params: { id: rectifyingDraft.id }, body: {} })
  expect(rectifying).toMatchObject({
    number: expect.stringMatching(/^R\d{4}-000001$/),
    totalCents: -6_050,
    isRectifying: true,
    rectifiesInvoiceId: draft.id,
  })
  const seen = await shop.client.call(readInvoice, { params, query: { userId } })
  expect(seen).toMatchObject({
    status: 'PAID',
    paidCents: 12_100,
    rectifiedCents: 6_050,
    sentAt: sent.sentAt,
    rectifiedBy: [{ id: rectifying.id, number: rectifying.number, totalCents: -6_050 }],
  })
  const { data } = await shop.client.call(listInvoices, { query: { userId, status: 'PAID' } })
  expect(data.map(({ id }) => id)).toContain(draft.id)
  const { balanceCents } = await owner.call(listLedger, { query: { invoiceId: draft.id } })
  expect(balanceCents).toBe(12_100)

  const notices = await eventsOf(draft.id, [
    'INVOICE_ISSUED',
    'INVOICE_SENT',
    'INVOICE_PARTIALLY_PAID',
    'INVOICE_PAID',
    'INVOICE_RECTIFIED',
  ])
  expect(notices).toMatchObject([
    { number, userId, status: 'ISSUED', rectifiesInvoiceId: null },
    { number, userId, status: 'SENT', recipients: ['ada@engines.test'] },
    { source: 'manual', amountCents: 2_100, dueCents: 10_000, reference: 'BX-7' },
    { source: 'manual', amountCents: 10_000, dueCents: 0, status: 'PAID' },
    { rectifyingInvoiceId: rectifying.id, rectifiedCents: 6_050, status: 'PAID' },
  ])
})

/** The phone of a user. The pages need no scripts. */
async function phone(): Promise<{ page: Page; problems: string[]; close(): Promise<void> }> {
  const tab = await openProfile(browser, {
    viewport: { width: 375, height: 700 },
    locale: 'es-ES',
    javaScriptEnabled: false,
  })
  const page = await tab.newPage()
  const problems: string[] = []
  page.on('console', message => void problems.push(message.text()))
  page.on('requestfailed', request => void problems.push(request.url()))
  return { page, problems, close: () => tab.close() }
}

test('a user authorizes charges, answers the bank about one, and gets a full refund', async () => {
  const userId = 'grace'
  const { id } = await draftFor(userId)
  const params = { id }
  await shop.client.call(issueInvoice, { params, body: { userId } })
  const charge = () =>
    shop.client.send(chargeInvoice, { params, body: { userId, idempotencyKey: 'for grace' } })

  // the charge names the missing steps, and they work in that order
  const { body: refusal } = await charge()
  expect(refusal).toMatchObject({ errorCode: 'PAYMENT_AUTHORIZATION_REQUIRED' })
  const { locale, version } = await shop.client.call(readConsentText, { query: { locale: 'es' } })
  const { id: authorizationId, setup } = await shop.client.call(createAuthorization, {
    body: { userId, scope: 'RECURRING', locale, version, ip: '203.0.113.7', userAgent: 'Phone' },
  })
  const { page, problems, close } = await phone()
  await page.goto(setup.cardUrl)
  await page.getByLabel('Número de la tarjeta').fill(cards.asks)
  await page.getByLabel('Caduca').fill('12/40')
  await page.getByRole('button', { name: 'Guardar la tarjeta' }).click()
  await page.getByRole('button', { name: 'Sí, soy yo' }).click()
  await page.getByRole('heading', { name: 'La tarjeta está guardada' }).waitFor()
  const query = { userId }
  expect(await shop.client.call(readAuthorization, { params: { id: authorizationId }, query })).toMatchObject(
    { status: 'ACTIVE', scope: 'RECURRING' },
  )

  const { status, body: pending } = await charge()
  expect([status, pending.status]).toEqual([200, 'REQUIRES_ACTION'])
  expect((await charge()).body).toEqual(pending)
  const [, , news] = atLeast(
    3,
    await eventsOf(id, ['INVOICE_ISSUED', 'CHARGE_STARTED', 'CHARGE_REQUIRES_ACTION']),
  )
  expect(news).toMatchObject({ publicUrl: pending.publicUrl, paymentAuthorizationId: authorizationId })

  await page.goto(news.publicUrl as string)
  await page.getByLabel('Número de la tarjeta').fill(cards.asks)
  await page.getByLabel('Caduca').fill('12/40')
  await page.getByRole('button', { name: /^Pagar 121,00/ }).click()
  await page.getByRole('button', { name: 'Soy yo: autorizar el pago' }).click()
  await page.getByText('Esta factura está pagada').waitFor()
  expect(problems).toEqual([])
  await close()
  expect((await charge()).body).toMatchObject({
    status: 'SUCCEEDED',
    paymentIntentId: pending.paymentIntentId,
    clientSecret: null,
    publicUrl: null,
  })

  // a part by the application, with its rectifying invoice, and the rest by a member
  const part = await shop.client.call(refundInvoice, {
    params,
    body: { userId, amountCents: 4_000, reason: 'duplicate', createRectifyingInvoice: true },
  })
  expect(part).toMatchObject({ status: 'SUCCEEDED', isFullRefund: false })
  const rectifying = await owner.call(readInvoice, { params: { id: defined(part.rectifyingInvoiceId) } })
  expect(rectifying).toMatchObject({ status: 'DRAFT', totalCents: -4_000, rectifiesInvoiceId: id })
  const rest = await owner.call(refundInvoiceByHand, { params, body: {} })
  expect(rest).toMatchObject({ status: 'SUCCEEDED', amountCents: 8_100, isFullRefund: true })

  const notices = await eventsOf(id, [
    'INVOICE_ISSUED',
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
    'INVOICE_PAID',
    'INVOICE_REFUNDED',
    'INVOICE_REFUNDED',
  ])
  expect(notices.slice(3)).toMatchObject([
    { source: 'gateway', status: 'PAID', paymentIntentId: pending.paymentIntentId },
    { refundId: part.id, amountCents: 4_000, rectifyingInvoiceId: part.rectifyingInvoiceId },
    { refundId: rest.id, amountCents: 8_100, isFullRefund: true, status: 'PAID' },
  ])
  expect(JSON.stringify(receiver.received)).not.toContain('_secret_')
  expect(server.logged()).not.toContain(pending.clientSecret)

  const { items, balanceCents } = await owner.call(listLedger, { query: { invoiceId: id } })
  expect(items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['PAYMENT', 12_100],
    ['REFUND', -4_000],
    ['REFUND', -8_100],
  ])
  expect(balanceCents).toBe(0)
  await expectReconciled()
})

/** The ledger and the gateway agree; when an entry is deleted, the difference shows. */
async function expectReconciled(): Promise<void> {
  // movements of the last minutes are not compared
  await server.sql('alter table ledger_entry disable trigger ledger_entry_is_immutable')
  await server.sql(`update ledger_entry set at = at - interval '20 minutes'`)
  await server.sql(`update sandbox_object set created_at = created_at - interval '20 minutes'
    where kind = 'movement'`)
  const compare = async () => {
    await reconcile(server.api.services, { organizationId: shop.organizationId, accountId })
    return (await owner.call(readReconciliation)).differences
  }
  expect(await compare()).toEqual([])
  await server.sql(`update ledger_entry set amount_cents = -3999 where amount_cents = -4000`)
  await server.sql('alter table ledger_entry enable trigger ledger_entry_is_immutable')
  expect(await compare()).toMatchObject([{ kind: 'AMOUNT', hereCents: -3_999, thereCents: -4_000 }])
}
