import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listInvoices, readInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import { listRefunds, refundInvoice, refundInvoiceByHand } from '#contract/billing/refunds.ts'
import type { Refund } from '#contract/billing/shapes.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import {
  type CollectedInvoice,
  collectedInvoice,
  makePollsDue,
  refundedAtGateway,
  refundTotals,
} from '#tests/support/billing/refunds.ts'
import { earlier } from '#tests/support/earlier.ts'
import { defined, findIn, firstOf, mapAll, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { importRefunds } from './import-refunds.ts'
import { pollRefunds } from './refund-poller.ts'
import { recordPartResult } from './settle-refund.ts'

let double: GatewayDouble
let server: TestServer
let organization: Organization
let owner: Person
let app: TestApplication
let accountId: string
const scopes = ['billing:refund', 'crm:invoices:write'] as const
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 1_000 } })
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization, { scopes })
  const { cipher } = server.api.services
  accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})
beforeEach(async () => {
  double.heals()
  await server.sql('delete from rate_window')
})

const collected = (given: Parameters<typeof collectedInvoice>[3] = {}) =>
  collectedInvoice({ sql: server.sql, context: server.api.services, double }, app, accountId, given)
const send = ({ id, userId }: Pick<CollectedInvoice, 'id' | 'userId'>, body: object = {}, by = app) =>
  by.client.send(refundInvoice, { params: { id }, body: { userId, ...body } as never })
const refunded = async (invoice: CollectedInvoice, body: object = {}) => {
  const { status, body: refund } = await send(invoice, body)
  expect(status).toBe(200)
  return refund as Refund
}
/** Stores the data of a client that an invoice requires. */
const makeWhole = (clientId: string) =>
  server.sql(
    `update crm_client set tax_id = 'B12345674', address = 'Calle 1', city = 'Bilbao', postal_code = '48001', country = 'ES'
     where id = $1`,
    [clientId],
  )
async function issuesAtOnce(): Promise<void> {
  await plantIssuer(server, organization.id)
  await insertRows(
    server,
    'billing_settings',
    [{ organization_id: organization.id, issues_rectifying_at_once: true }],
    { orSkip: true },
  )
}
async function eventsOf(invoiceId: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown> }>(
    `select name, data from event where organization_id = $1 and data ->> 'invoiceId' = $2
     order by (data ->> 'sequence')::int`,
    [organization.id, invoiceId],
  )
}
async function recovered(invoice: CollectedInvoice): Promise<Refund> {
  await makePollsDue(server.sql, invoice.id)
  await pollRefunds(server.api.services)
  const { items } = await owner.call(listRefunds, { params: { id: invoice.id } })
  return only(items)
}

/** Polls until the refund has a status: a reply of the gateway may come too late. */
const recoveredAs = (status: Refund['status'], invoice: CollectedInvoice) =>
  expect.poll(async () => (await recovered(invoice)).status).toBe(status)

test('refunds everything that was collected, once for each key, and nothing is due again', async () => {
  const invoice = await collected()
  const refund = await refunded(invoice, { idempotencyKey: 'all', reason: 'duplicate' })
  expect(refund).toEqual({
    id: expect.any(String),
    invoiceId: invoice.id,
    amountCents: 12_100,
    currency: 'eur',
    status: 'SUCCEEDED',
    isFullRefund: true,
    reason: 'duplicate',
    rectifyingInvoiceId: null,
    createdAt: expect.any(String),
  })
  expect(await refunded(invoice, { idempotencyKey: 'all', reason: 'duplicate' })).toEqual(refund)
  expect(refundedAtGateway(double, invoice.intents)).toBe(12_100)
  expect(await refundTotals(server.sql, invoice.id)).toEqual({
    refunded: 12_100,
    reserved: 12_100,
    ledger: 0,
    paid: 12_100,
  })
  const shown = await owner.call(readInvoice, { params: { id: invoice.id } })
  expect(shown).toMatchObject({ status: 'PAID', dueCents: 0, refundedCents: 12_100, refundStatus: 'FULL' })
  expect(await eventsOf(invoice.id)).toMatchObject([
    {
      name: 'INVOICE_REFUNDED',
      data: {
        refundId: refund.id,
        amountCents: 12_100,
        isFullRefund: true,
        reason: 'duplicate',
        status: 'PAID',
      },
    },
  ])
  expect(double.refunds()[0]).toMatchObject({ reason: 'duplicate', metadata: { refundId: refund.id } })
  const audit = await server.sql('select 1 from audit where organization_id = $1 and subject = $2', [
    organization.id,
    invoice.id,
  ])
  expect(audit).toHaveLength(1)
  expect(refusalOf(await send(invoice))).toEqual([409, 'REFUND_NOT_ALLOWED'])
})

test('of two refunds at once that saw the same refundable amount, one is made (RFD-4)', async () => {
  const { id, intents } = await collected({ amounts: [9_000] })
  const ask = () =>
    owner.send(refundInvoiceByHand, {
      params: { id },
      body: { amountCents: 3_000, refundableCents: 9_000, idempotencyKey: newId() },
    })
  const answers = await Promise.all([ask(), ask()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(findIn(answers, ({ status }) => status === 409).body).toMatchObject({
    errorCode: 'REFUND_NOT_ALLOWED',
    refundableCents: 6_000,
  })
  expect(refundedAtGateway(double, intents)).toBe(3_000)
})

test('a repeated refund is the same one, whatever is refundable by now (RFD-8)', async () => {
  const { id } = await collected({ amounts: [9_000] })
  const body = { amountCents: 3_000, idempotencyKey: newId() }
  const first = await owner.call(refundInvoiceByHand, {
    params: { id },
    body: { ...body, refundableCents: 9_000 },
  })
  const again = await owner.call(refundInvoiceByHand, {
    params: { id },
    body: { ...body, refundableCents: 6_000 },
  })
  expect(again.id).toBe(first.id)
})

test('a partial refund takes the newest payments first, or the requested one', async () => {
  const invoice = await collected({ amounts: [5_000, 4_000] })
  const [older, newer] = invoice.intents as [string, string]
  expect(await refunded(invoice, { amountCents: 4_500 })).toMatchObject({
    status: 'SUCCEEDED',
    amountCents: 4_500,
    isFullRefund: false,
    reason: null,
  })
  expect([refundedAtGateway(double, [newer]), refundedAtGateway(double, [older])]).toEqual([4_000, 500])
  expect(refusalOf(await send(invoice, { paymentIntentId: newer }))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  const over = await send(invoice, { paymentIntentId: older, amountCents: 4_501 })
  expect(over.body).toMatchObject({ errorCode: 'REFUND_NOT_ALLOWED', refundableCents: 4_500 })
  expect(await refunded(invoice, { paymentIntentId: older })).toMatchObject({
    amountCents: 4_500,
    isFullRefund: true,
  })
  expect(await eventsOf(invoice.id)).toHaveLength(2)
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 9_000, ledger: 0 })
  const other = await collected({ amounts: [300, 200] })
  expect(await refunded(other, { paymentIntentId: other.intents[1] })).toMatchObject({
    amountCents: 200,
    isFullRefund: false,
  })
})

test('manual payments are not refunded through the gateway', async () => {
  const invoice = await plantInvoice(server, app)
  const { id, userId } = invoice
  await app.client.call(markInvoicePaid, { params: { id }, body: { userId, method: 'TRANSFER' } })
  expect(refusalOf(await send(invoice))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  expect(refusalOf(await send(await plantInvoice(server, app)))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  const other = await collected()
  expect(refusalOf(await send(other, { paymentIntentId: 'pi_unknown' }))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  await server.sql('update payment set is_disputed = true where invoice_id = $1', [other.id])
  expect(refusalOf(await send(other))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  expect(refusalOf(await send(other, { amountCents: 0 }))).toEqual([400, 'VALIDATION_ERROR'])
})

test('invoices of others are not revealed, and a refund needs its permission', async () => {
  const invoice = await collected()
  const unknown = await send({ id: newId(), userId: invoice.userId })
  expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  const elsewhere = await makeApplication(server, await server.organization(), { scopes })
  const beside = await makeApplication(server, organization, { scopes })
  for (const answer of [
    await send(invoice, {}, elsewhere),
    await send(invoice, {}, beside),
    await send({ ...invoice, userId: 'somebody else' }),
  ])
    expect(answer.body).toEqual(unknown.body)
  const without = await makeApplication(server, organization, { scopes: ['billing:charge'] })
  expect(refusalOf(await send(invoice, {}, without))).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const member = await organization.person()
  const byMember = await member.send(refundInvoiceByHand, { params: { id: invoice.id } })
  expect(byMember.status).toBe(403)
  expect(await owner.call(refundInvoiceByHand, { params: { id: invoice.id } })).toMatchObject({
    status: 'SUCCEEDED',
  })
})

test('an account that is not ready cannot refund', async () => {
  const invoice = await collected()
  await server.sql(`update gateway_account set status = 'PENDING' where id = $1`, [accountId])
  expect(refusalOf(await send(invoice))).toEqual([409, 'GATEWAY_ACCOUNT_NOT_READY'])
  await server.sql(`update gateway_account set status = 'READY' where id = $1`, [accountId])
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ reserved: 0 })
})

test('a key identifies one request of one application for a day', async () => {
  const invoice = await collected()
  const first = await refunded(invoice, { idempotencyKey: 'k', amountCents: 100 })
  expect(refusalOf(await send(invoice, { idempotencyKey: 'k', amountCents: 200 }))).toEqual([
    422,
    'IDEMPOTENCY_KEY_REUSED',
  ])
  const other = await collected()
  expect(refusalOf(await send(other, { idempotencyKey: 'k', amountCents: 100 }))).toEqual([
    422,
    'IDEMPOTENCY_KEY_REUSED',
  ])
  await owner.call(refundInvoiceByHand, {
    params: { id: invoice.id },
    body: { idempotencyKey: 'k', amountCents: 100 },
  })
  await server.sql(
    `update refund set created_at = ${earlier('created_at', "interval '25 hours'")} where id = $1`,
    [first.id],
  )
  expect((await refunded(invoice, { idempotencyKey: 'k', amountCents: 300 })).id).not.toBe(first.id)
  expect(refundedAtGateway(double, invoice.intents)).toBe(500)
})

test('the Idempotency-Key header of a member works in the same way', async () => {
  const invoice = await collected()
  const byHand = (amountCents: number) =>
    owner.send(refundInvoiceByHand, {
      params: { id: invoice.id },
      body: { amountCents },
      headers: { 'Idempotency-Key': 'by-hand' },
    })
  const first = await byHand(100)
  expect([first.status, (await byHand(100)).body]).toEqual([200, first.body])
  expect(refundedAtGateway(double, invoice.intents)).toBe(100)
  expect(refusalOf(await byHand(200))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('simultaneous refunds never refund more than was collected', async () => {
  const invoice = await collected({ amounts: [10_000] })
  const answers = await Promise.all([6_000, 6_000].map(amountCents => send(invoice, { amountCents })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(refundedAtGateway(double, invoice.intents)).toBe(6_000)
  const same = await Promise.all(
    Array.from({ length: 12 }, () => refunded(invoice, { amountCents: 1_000, idempotencyKey: 'same' })),
  )
  expect(new Set(same.map(refund => JSON.stringify(refund))).size).toBe(1)
  expect(refundedAtGateway(double, invoice.intents)).toBe(7_000)
})

test('a refund is PENDING while the gateway does not answer, and is finished later', async () => {
  const invoice = await collected()
  double.fails('createRefund', 'refuse', 100)
  double.fails('listRefunds', 'refuse', 100)
  const pending = await refunded(invoice, { idempotencyKey: 'down' })
  expect(pending).toMatchObject({ status: 'PENDING', amountCents: 12_100 })
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 12_100 })
  expect(refusalOf(await send(invoice))).toEqual([409, 'REFUND_NOT_ALLOWED'])
  expect(await eventsOf(invoice.id)).toEqual([])
  // its key is live while it is open
  const began = `update refund set created_at = ${earlier('created_at', 'make_interval(hours => $2)')} where id = $1`
  await server.sql(began, [pending.id, 25])
  // so old that no request works on it
  await server.sql(
    `update refund_part set requested_at = ${earlier('requested_at', "interval '1 minute'")} where refund_id = $1`,
    [pending.id],
  )
  expect((await refunded(invoice, { idempotencyKey: 'down' })).id).toBe(pending.id)
  await server.sql(began, [pending.id, -25])
  double.heals()
  await recoveredAs('SUCCEEDED', invoice)
  expect(await recovered(invoice)).toEqual({ ...pending, status: 'SUCCEEDED' })
  expect(refundedAtGateway(double, invoice.intents)).toBe(12_100)
  expect((await eventsOf(invoice.id)).map(({ name }) => name)).toEqual(['INVOICE_REFUNDED'])
})

test('a slow refund, and a refund that the bank returns', async () => {
  const slow = await collected({ card: '4000000000007726' })
  expect(await refunded(slow)).toMatchObject({ status: 'PENDING' })
  const fails = await collected({ card: '4000000000005126' })
  expect(await refunded(fails)).toMatchObject({ status: 'SUCCEEDED' })
  double.later(11_000)
  await recoveredAs('SUCCEEDED', slow)
  await recoveredAs('FAILED', fails)
  expect(await refundTotals(server.sql, slow.id)).toMatchObject({ refunded: 12_100, ledger: 0 })
  expect(await refundTotals(server.sql, fails.id)).toMatchObject({ refunded: 0, reserved: 0, ledger: 12_100 })
  const kinds = await server.sql(`select kind from ledger_entry where invoice_id = $1 order by at, id`, [
    fails.id,
  ])
  expect(kinds.map(({ kind }) => kind)).toEqual(['PAYMENT', 'REFUND', 'REVERSAL'])
  expect(await eventsOf(fails.id)).toMatchObject([
    { name: 'INVOICE_REFUNDED' },
    {
      name: 'INVOICE_REFUND_FAILED',
      data: { amountCents: 12_100, failureCode: 'expired_or_canceled_card' },
    },
  ])
})

test('when only some payments can be refunded, the refund has their amount', async () => {
  const invoice = await collected({ amounts: [5_000, 4_000] })
  // refunded in the dashboard, and not yet known here
  double.refundsInPanel(firstOf(invoice.intents))
  expect(await refunded(invoice)).toMatchObject({
    status: 'SUCCEEDED',
    amountCents: 4_000,
    isFullRefund: false,
  })
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({
    refunded: 9_000,
    reserved: 9_000,
    ledger: 0,
  })
  const events = (await eventsOf(invoice.id)).map(({ name, data }) => [name, data.amountCents])
  // two transactions without a fixed order: the result of this refund, and the import of the other one
  const own = events.filter(event => !isDeepStrictEqual(event, ['INVOICE_REFUNDED', 5_000]))
  expect(events).toHaveLength(3)
  expect(own).toEqual([
    ['INVOICE_REFUNDED', 4_000],
    ['INVOICE_REFUND_FAILED', 5_000],
  ])
})

test('a refund that the gateway refuses fails and reserves nothing', async () => {
  const invoice = await collected({ card: '4000000000000259' })
  expect(await refunded(invoice, { createRectifyingInvoice: true })).toMatchObject({
    status: 'FAILED',
    amountCents: 12_100,
    rectifyingInvoiceId: null,
  })
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 0 })
  expect(await eventsOf(invoice.id)).toMatchObject([
    { name: 'INVOICE_REFUND_FAILED', data: { failureCode: 'charge_disputed' } },
  ])
})

test('a gateway that falls silent after a refusal', async () => {
  const invoice = await collected()
  double.refundsInPanel(only(invoice.intents))
  double.fails('listRefunds', '500 before', 100)
  // it is not yet known whether it was refused because it exists
  expect(await refunded(invoice)).toMatchObject({ status: 'PENDING' })
  double.heals()
  await recoveredAs('FAILED', invoice)
})

test('a refund that is found late counts, and an older failed search does not undo it', async () => {
  const invoice = await collected()
  double.fails('createRefund', 'drop after')
  double.fails('listRefunds', 'refuse', 100)
  const { id: refundId } = await refunded(invoice)
  const part = only(
    await server.sql<{ id: string }>('select id from refund_part where refund_id = $1', [refundId]),
  )
  const place = { organizationId: organization.id, id: part.id }
  const notFound = () =>
    recordPartResult(server.api.services, place, { failure: { code: 'gateway_unavailable' } })
  await notFound()
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 0 })
  double.heals()
  await importRefunds(
    server.api.services,
    { organizationId: organization.id, accountId },
    only(invoice.intents),
  )
  await notFound()
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 12_100, ledger: 0 })
})

test('a refund of an intent that no longer exists fails at once', async () => {
  const invoice = await collected()
  double.forgets(only(invoice.intents))
  expect(await refunded(invoice)).toMatchObject({ status: 'FAILED' })
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ reserved: 0 })
})

test('a gateway that stays silent is polled less and less often', async () => {
  const invoice = await collected()
  await refunded(invoice)
  double.fails('readRefund', '500 before', 100)
  await recovered(invoice)
  const part = only(
    await server.sql<{ days: number }>(
      `select extract(epoch from p.next_poll_at - now()) / 86400 as days
     from refund_part p join refund r on r.organization_id = p.organization_id and r.id = p.refund_id
     where r.invoice_id = $1`,
      [invoice.id],
    ),
  )
  expect(Number(part.days)).toBeCloseTo(7, 1)
})

test('a repeated refund after the bank returned the first one is booked', async () => {
  const invoice = await collected({ card: '4000000000005126' })
  await refunded(invoice)
  double.later(11_000)
  const { body, headers } = double.notice('refund.created', double.refundsInPanel(only(invoice.intents)))
  const url = `${server.url}/api/billing/gateway/notices/${organization.id}/${accountId}`
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  expect(await refundTotals(server.sql, invoice.id)).toEqual({
    paid: 12_100,
    refunded: 12_100,
    reserved: 12_100,
    ledger: 0,
  })
  const { items } = await owner.call(listRefunds, { params: { id: invoice.id } })
  expect(items.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED'])
})

test('an overpaid amount is refunded without a rectifying invoice', async () => {
  const invoice = await collected({ amounts: [12_100, 3_000], totalCents: 12_100 })
  const back = (amountCents: number) => refunded(invoice, { amountCents, createRectifyingInvoice: true })
  expect(await back(3_000)).toMatchObject({ status: 'SUCCEEDED', rectifyingInvoiceId: null })
  const { rectifyingInvoiceId } = await back(2_100)
  const draft = await owner.call(readInvoice, { params: { id: defined(rectifyingInvoiceId) } })
  expect(draft.totalCents).toBe(-2_100)
})

test('drafts the rectifying invoice, and issues it when the settings say so', async () => {
  const invoice = await collected()
  const { rectifyingInvoiceId } = await refunded(invoice, {
    amountCents: 4_000,
    createRectifyingInvoice: true,
  })
  const draft = await owner.call(readInvoice, { params: { id: defined(rectifyingInvoiceId) } })
  expect(draft).toMatchObject({ status: 'DRAFT', totalCents: -4_000, rectifiesInvoiceId: invoice.id })
  expect(firstOf(await eventsOf(invoice.id)).data).toMatchObject({ rectifyingInvoiceId })
  await issuesAtOnce()
  await makeWhole(invoice.clientId)
  const again = await refunded(invoice, { createRectifyingInvoice: true })
  const issued = await owner.call(readInvoice, { params: { id: defined(again.rectifyingInvoiceId) } })
  expect(issued).toMatchObject({ totalCents: -8_100, number: expect.stringMatching(/^R/) })
  expect(await owner.call(readInvoice, { params: { id: invoice.id } })).toMatchObject({
    rectifiedCents: 8_100,
  })
})

test('rectifying a refunded amount does not reduce an unpaid one', async () => {
  await issuesAtOnce()
  const invoice = await collected({ amounts: [6_000], totalCents: 10_000, card: '4000000000005126' })
  await makeWhole(invoice.clientId)
  const shown = () => owner.call(readInvoice, { params: { id: invoice.id } })
  const { rectifyingInvoiceId: id } = await refunded(invoice, { createRectifyingInvoice: true })
  expect(await shown()).toMatchObject({ status: 'PARTIALLY_PAID', dueCents: 4_000, rectifiedCents: 6_000 })
  const { data } = await owner.call(listInvoices, {
    query: { clientId: invoice.clientId, status: 'PARTIALLY_PAID' },
  })
  expect(data).toMatchObject([{ id: invoice.id }])
  // the returned amount is collected again and pays the rest
  double.later(11_000)
  await recoveredAs('FAILED', invoice)
  expect(await shown()).toMatchObject({ status: 'PAID', dueCents: 0, overpaidCents: 2_000 })
  await owner.call(voidInvoice, { params: { id: defined(id) }, body: {} })
  expect(await shown()).toMatchObject({ dueCents: 4_000, rectifiedCents: 0, overpaidCents: 0 })
})

test('money that returns to a void invoice is listed for members', async () => {
  const invoice = await collected({ card: '4000000000005126' })
  await refunded(invoice)
  await owner.call(voidInvoice, { params: { id: invoice.id }, body: {} })
  const overpaid = async () =>
    (await owner.call(readReconciliation)).overpaid.filter(({ invoiceId }) => invoiceId === invoice.id)
  expect(await overpaid()).toEqual([])
  double.later(11_000)
  await recoveredAs('FAILED', invoice)
  expect(await overpaid()).toMatchObject([{ overpaidCents: 12_100, refundedCents: 0 }])
})

test('a refund from the gateway’s dashboard is booked once, after its notice', async () => {
  const invoice = await collected()
  const made = double.refundsInPanel(only(invoice.intents), 2_000)
  const { body, headers } = double.notice('refund.created', made)
  const notify = () =>
    fetch(`${server.url}/api/billing/gateway/notices/${organization.id}/${accountId}`, {
      method: 'POST',
      body,
      headers,
    })
  const answers = await Promise.all([notify(), notify(), notify()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 2_000, reserved: 2_000 })
  const { items } = await owner.call(listRefunds, { params: { id: invoice.id } })
  expect(items).toMatchObject([{ amountCents: 2_000, status: 'SUCCEEDED', isFullRefund: false }])
  expect(await eventsOf(invoice.id)).toHaveLength(1)
  expect(await refunded(invoice)).toMatchObject({ amountCents: 10_100, isFullRefund: true })
})

describe('a dispute', () => {
  const hear = async (dispute: object) => {
    const { body, headers } = double.notice('charge.dispute.updated', dispute)
    const url = `${server.url}/api/billing/gateway/notices/${organization.id}/${accountId}`
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  }
  const isDisputed = async ({ id }: CollectedInvoice) => {
    const row = only(await server.sql('select is_disputed from payment where invoice_id = $1', [id]))
    return row.is_disputed
  }
  const open = { status: 'needs_response', is_charge_refundable: false }

  test('takes the money and returns it; meanwhile the payment cannot be refunded', async () => {
    const invoice = await collected()
    // old, and found in any case
    const dispute = double.objects(only(invoice.intents), { ...open, balance: [-12_100] })
    await hear(dispute)
    await hear(dispute)
    const ledger = () => owner.call(listLedger, { query: { invoiceId: invoice.id } })
    const { items, balanceCents } = await ledger()
    expect(items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['PAYMENT', 12_100],
      ['DISPUTE', -12_100],
    ])
    expect(balanceCents).toBe(0)
    expect(refusalOf(await send(invoice))).toEqual([409, 'REFUND_NOT_ALLOWED'])
    dispute.balance_transactions.push({ amount: 12_100 })
    // a read from before the win is written after it
    await hear(dispute)
    expect((await ledger()).balanceCents).toBe(12_100)
    expect(await isDisputed(invoice)).toBe(false)
    Object.assign(dispute, { status: 'won' })
    await hear(dispute)
    expect(await refunded(invoice)).toMatchObject({ status: 'SUCCEEDED', isFullRefund: true })
  })

  test('blocks refunds before it takes money; an inquiry does not', async () => {
    const invoice = await collected()
    const dispute = double.objects(only(invoice.intents), {
      status: 'warning_needs_response',
      is_charge_refundable: true,
      balance: [],
    })
    await hear(dispute)
    expect(await isDisputed(invoice)).toBe(false)
    Object.assign(dispute, open)
    await hear(dispute)
    expect(await isDisputed(invoice)).toBe(true)
    const refused = await send(invoice, { amountCents: 100 })
    expect(refused.body).toMatchObject({ errorCode: 'REFUND_NOT_ALLOWED', refundableCents: 0 })
    Object.assign(dispute, { status: 'prevented' })
    await hear(dispute)
    expect(await isDisputed(invoice)).toBe(false)
  })

  test('of an unknown payment is ignored', async () => {
    const gateway = await gatewayOf(server.api.services, organization.id, accountId)
    const methodId = double.addMethod('4242424242424242')
    const given = { amountCents: 100, currency: 'eur', customerId: null, methodId, metadata: {} }
    const { id } = await gateway.createIntent(given, newId())
    await hear(double.objects(id, { ...open, balance: [-100] }))
  })
})

test('the ledger of an invoice is visible to its organization only', async () => {
  const invoice = await collected()
  await refunded(invoice, { amountCents: 100 })
  const { items, balanceCents } = await owner.call(listLedger, { query: { invoiceId: invoice.id } })
  expect(items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['PAYMENT', 12_100],
    ['REFUND', -100],
  ])
  expect(balanceCents).toBe(12_000)
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const [foreign, unknown] = await mapAll([invoice.id, newId()], invoiceId =>
    stranger.send(listLedger, { query: { invoiceId } }),
  )
  expect(foreign.body).toEqual(unknown.body)
  expect(refusalOf(foreign)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
})
