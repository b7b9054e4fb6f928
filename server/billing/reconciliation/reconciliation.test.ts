import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { countPayments, readReconciliation, settleDifference } from '#contract/billing/reconciliation.ts'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { makeInvoice, plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { plantCharge, plantDifference } from '#tests/support/billing/payments.ts'
import { collectedInvoice, refundTotals } from '#tests/support/billing/refunds.ts'
import { exactly, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { insertAttempt, setAttemptIntent } from '../charges/charge.sql.ts'
import { importRefunds } from '../refunds/import-refunds.ts'
import { reconcile, reconcileAccounts } from './reconcile.ts'
import { comparedPeriod, differencesOf } from './reconciliation.rules.ts'

let double: GatewayDouble
let server: TestServer
let organization: Organization
let owner: Person
let app: TestApplication
let accountId: string
beforeAll(async () => {
  double = await openDouble()
  // movements of the last minutes are not compared
  double.later(-20 * 60_000)
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 1_000 } })
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization)
  const { cipher } = server.api.services
  accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})

const run = () => reconcile(server.api.services, { organizationId: organization.id, accountId })

/** Money that the gateway collected and that was not booked. */
async function unbooked(
  metadata: Record<string, string> = { organizationId: organization.id },
): Promise<string> {
  const gateway = await gatewayOf(server.api.services, organization.id, accountId)
  const methodId = double.addMethod('4242424242424242')
  const given = { amountCents: 12_100, currency: 'eur', customerId: null, methodId, metadata }
  const { id } = await gateway.createIntent(given, newId())
  await gateway.confirmIntent(id, { isOffSession: true }, newId())
  return id
}

test('movements of others on the same account are counted, and are no differences', async () => {
  const others = [await unbooked({}), await unbooked({ organizationId: newId(), attemptId: newId() })]
  for (const intentId of others) double.refundsInPanel(intentId, 100)
  const requestCount = double.requests.length
  await run()
  expect(await owner.call(readReconciliation)).toMatchObject({ differences: [], foreignMovements: 4 })
  // it is not imported
  const operations = new Set(double.requests.slice(requestCount).map(({ operation }) => operation))
  expect(operations).toEqual(new Set(['listMovements']))
})

test('an unknown payment is a difference until a member settles it', async () => {
  const intentId = await unbooked()
  await run()
  await run()
  // also once it is older than the compared period
  await reconcile(
    server.api.services,
    { organizationId: organization.id, accountId },
    Date.now() + 5 * 86_400_000,
  )
  const { differences } = await owner.call(readReconciliation)
  expect(differences).toEqual([
    {
      id: expect.any(String),
      kind: 'MISSING_HERE',
      day: expect.any(String),
      gatewayObjectId: intentId,
      hereCents: null,
      thereCents: 12_100,
      currency: 'eur',
      foundAt: expect.any(String),
    },
  ])
  const params = { id: only(differences).id }
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const body = { reason: 'Sold at the counter' }
  expect(refusalOf(await stranger.send(settleDifference, { params, body }))).toEqual([
    404,
    'DIFFERENCE_NOT_FOUND',
  ])
  expect(await owner.call(settleDifference, { params, body })).toEqual(differences[0])
  expect(refusalOf(await owner.send(settleDifference, { params, body }))).toEqual([
    404,
    'DIFFERENCE_NOT_FOUND',
  ])
  await run()
  expect((await owner.call(readReconciliation)).differences).toEqual([])
  // and its refund is missed as well
  const { id: gatewayObjectId } = double.refundsInPanel(intentId, 100)
  await run()
  const refund = only((await owner.call(readReconciliation)).differences)
  expect(refund).toMatchObject({ kind: 'MISSING_HERE', gatewayObjectId, thereCents: -100 })
  await owner.call(settleDifference, { params: { id: refund.id }, body })
})

test('a missed refund of an old known payment belongs to the organization', async () => {
  double.later(-5 * 86_400_000)
  const [missed, started, other] = [await unbooked(), await unbooked(), await unbooked({})]
  double.later(5 * 86_400_000)
  const { id: organizationId } = organization
  await plantDifference(server, { organizationId, accountId, objectId: missed, isSettled: true })
  const invoice = await plantInvoice(server, app)
  await plantCharge(server, {
    organizationId,
    invoiceId: invoice.id,
    accountId,
    state: 'CONFIRMING',
    paymentIntentId: started,
  })
  const refunds = [missed, started, other].map(intentId => double.refundsInPanel(intentId, 300).id)
  await run()
  const { differences } = await owner.call(readReconciliation)
  expect(differences.map(({ gatewayObjectId }) => gatewayObjectId).sort()).toEqual(refunds.slice(0, 2).sort())
  for (const { id } of differences)
    await owner.call(settleDifference, { params: { id }, body: { reason: 'Sold at the counter' } })
})

test('a missed payment, refund and dispute are booked', async () => {
  const { database } = server.api.services
  const invoice = await plantInvoice(server, app)
  const attemptId = newId()
  await database.transact(organization.id, tx =>
    insertAttempt(tx, {
      id: attemptId,
      invoice_id: invoice.id,
      application_id: app.id,
      kind: 'OFF_SESSION',
      amount_cents: 12_100,
      currency: 'eur',
      gateway_account_id: accountId,
      customer_id: null,
      payment_method_id: null,
      gateway_method_id: 'pm_1',
      authorization_id: null,
      idempotency_key: null,
      fingerprint: null,
    }),
  )
  const intentId = await unbooked({ organizationId: organization.id, attemptId })
  await database.transact(organization.id, tx => setAttemptIntent(tx, attemptId, intentId))
  double.refundsInPanel(intentId, 2_000)
  const context = { sql: server.sql, context: server.api.services, double }
  const disputed = await collectedInvoice(context, app, accountId, { card: '4000000000000259' })
  await run()
  expect(await refundTotals(server.sql, invoice.id)).toEqual({
    paid: 12_100,
    refunded: 2_000,
    reserved: 2_000,
    ledger: 10_100,
  })
  const shown = await owner.call(readReconciliation)
  expect(shown.differences).toEqual([])
  expect(shown.disputed).toMatchObject([{ invoiceId: disputed.id, amountCents: 12_100 }])
})

test('a movement that could not be imported is a difference until it is booked in any way', async () => {
  const context = { sql: server.sql, context: server.api.services, double }
  const { id, intents } = await collectedInvoice(context, app, accountId)
  double.refundsInPanel(only(intents), 700)
  double.fails('listRefunds', '500 before', 100)
  await run()
  double.heals()
  const differences = async () => (await owner.call(readReconciliation)).differences
  expect(await differences()).toMatchObject([{ kind: 'MISSING_HERE', thereCents: -700 }])
  await importRefunds(server.api.services, { organizationId: organization.id, accountId }, only(intents))
  expect(await refundTotals(server.sql, id)).toMatchObject({ refunded: 700 })
  await run()
  expect(await differences()).toEqual([])
})

test('an old movement that is booked now is no difference; a booking without a movement is one', async () => {
  const minuteMs = 60_000
  double.later(-5 * 86_400_000)
  const context = { sql: server.sql, context: server.api.services, double }
  const late = await collectedInvoice(context, app, accountId)
  double.refundsInPanel(only(late.intents), 700)
  const gone = await collectedInvoice(context, app, accountId)
  double.later(5 * 86_400_000)
  await importRefunds(server.api.services, { organizationId: organization.id, accountId }, only(late.intents))
  double.forgets(only(gone.intents))
  await reconcile(
    server.api.services,
    { organizationId: organization.id, accountId },
    Date.now() + 20 * minuteMs,
  )
  const { differences } = await owner.call(readReconciliation)
  expect(differences).toMatchObject([{ kind: 'MISSING_THERE', gatewayObjectId: gone.intents[0] }])
  await owner.call(settleDifference, { params: { id: only(differences).id }, body: { reason: 'Test data' } })
})

test('accounts are reconciled once a day', async () => {
  await server.sql('update gateway_account set reconciled_on = null where id = $1', [accountId])
  const taken = await Promise.all([
    reconcileAccounts(server.api.services),
    reconcileAccounts(server.api.services),
  ])
  expect(taken.sort()).toEqual([0, 1])
  expect(await reconcileAccounts(server.api.services)).toBe(0)
})

test('lists overpaid invoices, and stuck charges and refunds', async () => {
  const invoice = await plantInvoice(server, app)
  await server.sql('update invoice set overpaid_cents = 500, paid_cents = 12600 where id = $1', [invoice.id])
  await plantCharge(server, {
    organizationId: organization.id,
    invoiceId: invoice.id,
    accountId,
    state: 'PROCESSING',
    amountCents: 100,
    createdAt: new Date(Date.now() - 7_200_000),
  })
  const silent = await collectedInvoice(
    { sql: server.sql, context: server.api.services, double },
    app,
    accountId,
  )
  double.fails('createRefund', 'refuse', 100)
  double.fails('listRefunds', 'refuse', 100)
  const { id: refundId } = await owner.call(refundInvoiceByHand, { params: { id: silent.id } })
  double.heals()
  expect((await owner.call(readReconciliation)).stuckRefunds).toEqual([])
  await server.sql(
    `update refund_part set requested_at = now() - interval '61 minutes', next_poll_at = null where refund_id = $1`,
    [refundId],
  )
  const { overpaid, stuck, stuckRefunds } = await owner.call(readReconciliation)
  expect(stuckRefunds).toMatchObject([{ refundId, invoiceId: silent.id, amountCents: 12_100 }])
  expect(overpaid).toMatchObject([{ invoiceId: invoice.id, overpaidCents: 500 }])
  expect(stuck).toMatchObject([{ invoiceId: invoice.id, amountCents: 100 }])
  const operator = await server.operator()
  expect(await operator.call(countPayments, { params: { id: organization.id } })).toEqual({
    differences: 0,
    overpaidInvoices: 1,
    stuckCharges: 1,
    stuckRefunds: 1,
    disputedPayments: 1,
  })
  const unknown = await operator.send(countPayments, { params: { id: newId() } })
  expect(refusalOf(unknown)).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
})

test('an invoice that is rectified after payment is overpaid until that is undone', async () => {
  await plantIssuer(server, organization.id)
  const { id } = await makeInvoice(owner)
  await owner.call(registerPayment, { params: { id }, body: { method: 'CASH' } })
  const rectifying = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Wrong price' } })
  const overpaid = async () => {
    const differences = await owner.call(readReconciliation)
    return differences.overpaid.find(({ invoiceId }) => invoiceId === id)?.overpaidCents
  }
  expect(await overpaid()).toBeUndefined()
  await owner.call(issueInvoice, { params: { id: rectifying.id }, body: {} })
  expect(await overpaid()).toBe(12_100)
  await owner.call(voidInvoice, { params: { id: rectifying.id }, body: {} })
  expect(await overpaid()).toBeUndefined()
})

test('is read with BILLING_VIEW and settled with BILLING_EDIT', async () => {
  const [viewer, nobody] = [
    await organization.person({ permissions: ['BILLING_VIEW'] }),
    await organization.person(),
  ]
  const { id: invoiceId } = await plantInvoice(server, app)
  const id = await plantDifference(server, {
    organizationId: organization.id,
    accountId,
    objectId: 'pi_seen',
  })
  const settled = { params: { id }, body: { reason: 'Known' } }
  expect((await viewer.send(readReconciliation)).status).toBe(200)
  expect((await viewer.send(listLedger, { query: { invoiceId } })).status).toBe(200)
  for (const answer of [
    await viewer.send(settleDifference, settled),
    await nobody.send(readReconciliation),
    await nobody.send(listLedger, { query: { invoiceId } }),
  ])
    expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
  expect((await owner.send(settleDifference, settled)).status).toBe(200)
})

test('every moment is compared, even if a gateway was silent for a night', () => {
  const [before, tonight] = exactly(
    2,
    ['2026-11-20T00:00:20Z', '2026-11-22T00:09:50Z'].map(at => comparedPeriod(Date.parse(at))),
  )
  expect(tonight.fromMs).toBeLessThanOrEqual(before.toMs)
})

test('differences by object, up to the end of the compared period', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const { fromMs, toMs } = comparedPeriod(now)
  expect(new Date(fromMs).toISOString()).toBe('2026-11-19T12:00:00.000Z')
  const moved = (cents: number, atMs = now - 3_600_000) => ({ cents, currency: 'eur', atMs })
  const here = new Map([
    ['same', moved(1)],
    ['other', moved(1)],
    ['only here', moved(1)],
    ['old', moved(1, fromMs - 1)],
    ['came and went', moved(0)],
  ])
  const there = new Map([
    ['same', moved(1)],
    ['other', moved(2)],
    ['only there', moved(1)],
    ['new', moved(1, toMs)],
    ['went and came', moved(0)],
  ])
  expect(differencesOf(here, there, { fromMs, toMs }).map(({ objectId, kind }) => [objectId, kind])).toEqual([
    ['other', 'AMOUNT'],
    ['only here', 'MISSING_THERE'],
    ['only there', 'MISSING_HERE'],
  ])
})
