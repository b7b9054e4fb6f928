import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chargeInvoice, payInvoice } from '#contract/billing/charges.ts'
import { answerByLink, openPayPage, payByLink } from '#contract/billing/pay-page.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { newId } from '#platform/ids.ts'
import { cards, plantAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { defined, mapAll, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { replaceLink } from '../../links/payment-link.sql.ts'
import { newLinkToken } from '../../links/payment-link.token.ts'

let server: TestServer
let organization: Organization
let app: TestApplication
let accountId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  app = await makeApplication(server, organization, { scopes: ['billing:charge', 'crm:invoices:write'] })
  accountId = await plantAccount(server, organization.id)
})
afterAll(() => server.close())
beforeEach(() => server.sql('delete from rate_window'))

const payNow = (invoice: PlantedInvoice) =>
  app.client.send(payInvoice, { params: { id: invoice.id }, body: { userId: invoice.userId } })

/** The token of a public link. */
async function linkTo(invoice: PlantedInvoice): Promise<string> {
  const token = newLinkToken(organization.id)
  await server.api.services.database.transact(organization.id, tx =>
    replaceLink(tx, { id: newId(), invoiceId: invoice.id, token, createdBy: null, days: 30 }),
  )
  return token
}

/** A browser without scripts. */
async function browse(path: string, form?: Record<string, string>, language = 'es') {
  const answer = await fetch(`${server.url}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: {
      accept: 'text/html',
      'accept-language': language,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const card = (number: string) => ({ number, expires: '12/40' })

async function paidCents({ id }: PlantedInvoice): Promise<number> {
  const row = only(
    await server.sql<{ paid: number }>('select paid_cents::int as paid from invoice where id = $1', [id]),
  )
  return row.paid
}
async function eventsOf({ id }: PlantedInvoice): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ name: string }>(
    `select name from event where data ->> 'invoiceId' = $1 order by (data ->> 'sequence')::int`,
    [id],
  )
  return rows.map(({ name }) => name)
}

test('an application lets its user pay, with a client secret or on the payment page', async () => {
  const invoice = await plantInvoice(server, app)
  const { status, body } = await payNow(invoice)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'REQUIRES_ACTION',
    amountCents: 12_100,
    clientSecret: expect.stringContaining('_secret_'),
    publicUrl: expect.stringContaining('/p/'),
  })
  // the waiting payment is continued
  expect((await payNow(invoice)).body).toEqual(body)
  const path = new URL((body as { publicUrl: string }).publicUrl).pathname
  const thanks = await browse(`${path}/pay`, card(cards.good))
  expect(thanks.text).toContain('Esta factura está pagada')
  expect(await paidCents(invoice)).toBe(12_100)
  expect(await eventsOf(invoice)).toEqual(['INVOICE_PAID'])
  expect((await payNow(invoice)).body).toMatchObject({ errorCode: 'INVOICE_ALREADY_PAID' })
})

test('a waiting payment is replaced when the amount due or the gateway account has changed', async () => {
  const invoice = await plantInvoice(server, app)
  expect((await payNow(invoice)).body).toMatchObject({ amountCents: 12_100 })
  await server.sql('update invoice set paid_cents = 2100 where id = $1', [invoice.id])
  const rest = { status: 'REQUIRES_ACTION', amountCents: 10_000 }
  expect((await payNow(invoice)).body).toMatchObject(rest)
  const become = (id: string, status: string) =>
    server.sql('update gateway_account set status = $2 where id = $1', [id, status])
  await become(accountId, 'DISABLED')
  const next = await plantAccount(server, organization.id)
  expect((await payNow(invoice)).body).toMatchObject(rest)
  await become(next, 'DISABLED')
  await become(accountId, 'READY')
  expect(
    await server.sql(
      `select state, gateway_account_id as account from charge_attempt where invoice_id = $1 order by created_at`,
      [invoice.id],
    ),
  ).toEqual([
    ...[accountId, accountId].map(account => ({ state: 'FAILED', account })),
    { state: 'REQUIRES_ACTION', account: next },
  ])
})

test('an invoice that cannot be paid is refused with its reason', async () => {
  const refused = async (invoice: PlantedInvoice) => (await payNow(invoice)).body
  expect(await refused(await plantInvoice(server, app, { lifecycle: 'DRAFT' }))).toMatchObject({
    errorCode: 'INVOICE_STATE_INVALID',
  })
  expect(await refused({ ...(await plantInvoice(server, app)), userId: 'another' })).toMatchObject({
    errorCode: 'INVOICE_NOT_ACCESSIBLE',
  })
  const pounds = await plantInvoice(server, app, { currency: 'gbp' })
  expect(await refused(pounds)).toMatchObject({ errorCode: 'BILLING_CURRENCY_NOT_SUPPORTED' })
  await server.sql(`update gateway_account set status = 'PENDING' where id = $1`, [accountId])
  expect(await refused(pounds)).toMatchObject({ errorCode: 'GATEWAY_ACCOUNT_NOT_READY' })
  expect((await browse(`/p/${await linkTo(pounds)}`)).text).toContain('no se puede pagar aquí')
  await server.sql(`update gateway_account set status = 'READY' where id = $1`, [accountId])
  const slow = await plantInvoice(server, app)
  await sandboxPayer(server, app, accountId, slow.userId, { card: cards.slow })
  await app.client.send(chargeInvoice, { params: { id: slow.id }, body: { userId: slow.userId } })
  expect(await refused(slow)).toMatchObject({ errorCode: 'CHARGE_IN_PROGRESS' })
  const token = await linkTo(slow)
  expect((await browse(`/p/${token}`)).text).toContain('El pago está en curso')
  expect((await browse(`/p/${token}/pay`, card(cards.good))).status).toBe(409)
})

test('the page shows the invoice in the language of the browser, and is not cached or indexed', async () => {
  const invoice = await plantInvoice(server, app)
  const token = await linkTo(invoice)
  const page = await browse(`/p/${token}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain(`Factura ${invoice.number}`)
  expect(page.text).toContain('121,00')
  expect(page.text).not.toContain('<script')
  expect(page.headers.get('referrer-policy')).toBe('same-origin')
  expect(page.headers.get('x-robots-tag')).toContain('noindex')
  expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`)
  expect(page.headers.get('content-security-policy')).not.toContain('script-src')
  const english = (await browse(`/p/${token}`, undefined, 'en')).text
  for (const shown of [`Invoice ${invoice.number}`, 'IVA 21%', 'Due on: 2 December 2999'])
    expect(english).toContain(shown)
  const pdf = await browse(`/p/${token}/pdf`)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(pdf.text.slice(0, 5)).toBe('%PDF-')
  expect(server.logged()).not.toContain(token.split('.')[1])
})

test('the rectified amount is shown between the total and the amount due', async () => {
  const invoice = await plantInvoice(server, app)
  await server.sql('update invoice set rectified_cents = 2100 where id = $1', [invoice.id])
  const { text } = await browse(`/p/${await linkTo(invoice)}`)
  const rows = [...text.matchAll(/<tr[^>]*><td>([^<]+)<\/td><td class="figure">([^<]+)/g)]
  const figures = Object.fromEntries(
    rows.map(([, name, figure]) => [name, defined(figure).replace(/\s/g, ' ')]),
  )
  expect(figures).toMatchObject({
    Total: '121,00 €',
    Rectificado: '-21,00 €',
    'Pendiente de pago': '100,00 €',
  })
})

test('a declined card can be replaced', async () => {
  const invoice = await plantInvoice(server, app)
  const token = await linkTo(invoice)
  const no = await browse(`/p/${token}/pay`, card(cards.poor))
  expect(no.text).toContain('No se ha podido cobrar')
  expect(no.text).toContain('<form')
  const yes = await browse(`/p/${token}/pay`, card(cards.good))
  expect(yes.text).toContain('Esta factura está pagada')
  expect((await browse(`/p/${token}`)).text).not.toContain('<form')
  expect((await browse(`/p/${token}/pay`, card(cards.good))).status).toBe(409)
  expect(await paidCents(invoice)).toBe(12_100)
})

test('a payer who denies the bank’s question has not paid', async () => {
  const invoice = await plantInvoice(server, app)
  const token = await linkTo(invoice)
  const question = await browse(`/p/${token}/pay`, card(cards.asks))
  expect(question.text).toContain('Tu banco quiere saber')
  const no = await browse(`/p/${token}/answer`, { isYou: 'no' })
  expect(no.text).toContain('No se ha podido cobrar')
  expect(await paidCents(invoice)).toBe(0)
  await browse(`/p/${token}/pay`, card(cards.asks))
  expect((await browse(`/p/${token}/answer`, { isYou: 'yes' })).text).toContain('Esta factura está pagada')
})

test('paying on the link of a waiting charge continues that charge, and nothing is collected twice', async () => {
  const invoice = await plantInvoice(server, app)
  await sandboxPayer(server, app, accountId, invoice.userId, { card: cards.asks })
  const charge = () =>
    app.client.call(chargeInvoice, {
      params: { id: invoice.id },
      body: { userId: invoice.userId, idempotencyKey: 'with a page' },
    })
  const { publicUrl, paymentIntentId } = await charge()
  const path = new URL(defined(publicUrl)).pathname
  await browse(`${path}/pay`, card(cards.asks))
  expect((await browse(`${path}/answer`, { isYou: 'yes' })).text).toContain('Esta factura está pagada')
  expect(await charge()).toMatchObject({ status: 'SUCCEEDED', paymentIntentId })
  expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_REQUIRES_ACTION', 'INVOICE_PAID'])
})

test('an answer to the bank after a manual payment collects nothing', async () => {
  const invoice = await plantInvoice(server, app)
  await sandboxPayer(server, app, accountId, invoice.userId, { card: cards.asks })
  const params = { id: invoice.id }
  const { publicUrl, paymentIntentId } = await app.client.call(chargeInvoice, {
    params,
    body: { userId: invoice.userId },
  })
  await app.client.call(markInvoicePaid, { params, body: { userId: invoice.userId, method: 'CASH' } })
  const late = await browse(`${new URL(defined(publicUrl)).pathname}/pay`, card(cards.good))
  expect(late.status).toBe(409)
  expect(await paidCents(invoice)).toBe(12_100)
  const stored = only(
    await server.sql<{ status: string }>(
      `select body ->> 'status' as status from sandbox_object where organization_id = $1 and id = $2`,
      [organization.id, paymentIntentId],
    ),
  )
  expect(stored.status).toBe('canceled')
  expect(await eventsOf(invoice)).toEqual([
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
    'CHARGE_FAILED',
    'INVOICE_PAID',
  ])
})

test('programs pay with JSON', async () => {
  const invoice = await plantInvoice(server, app)
  const params = { token: await linkTo(invoice) }
  const client = server.client()
  expect(await client.call(payByLink, { params, body: {} })).toMatchObject({
    status: 'REQUIRES_ACTION',
    clientSecret: expect.stringContaining('_secret_'),
  })
  expect(await client.call(payByLink, { params, body: card(cards.poor) })).toMatchObject({
    status: 'REQUIRES_ACTION',
    failureMessage: expect.stringMatching(/funds/),
  })
  await client.call(payByLink, { params, body: card(cards.asks) })
  expect(await client.call(answerByLink, { params, body: { isYou: 'yes' } })).toMatchObject({
    status: 'SUCCEEDED',
  })
})

test('every invalid link gets the same page', async () => {
  const invoice = await plantInvoice(server, app)
  const [revoked, late, void_] = [
    await linkTo(invoice),
    await linkTo(await plantInvoice(server, app)),
    await linkTo(await plantInvoice(server, app, { lifecycle: 'VOIDED' })),
  ]
  await linkTo(invoice)
  await server.sql(
    `update invoice_link set expires_at = now() - interval '1 second' where token_digest = sha256($1::bytea)`,
    [Buffer.from(late)],
  )
  const pages = await mapAll(
    [revoked, late, void_, newLinkToken(organization.id), 'nothing', `${newId()}.${'x'.repeat(43)}`],
    token => browse(`/p/${token}`),
  )
  expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(pages[0].status).toBe(404)
  expect(pages[0].text).toContain('ya no es válido')
  expect((await server.client().send(openPayPage, { params: { token: revoked } })).body).toMatchObject({
    errorCode: 'PAYMENT_LINK_NOT_VALID',
  })
  expect((await browse(`/p/${revoked}/pay`, card(cards.good))).status).toBe(404)
})
