import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#platform/http/caller.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { importRefunds } from '#server/billing/refunds/import-refunds.ts'
import { listRefundsOfInvoice } from '#server/billing/refunds/refund.sql.ts'
import { pollRefunds } from '#server/billing/refunds/refund-poller.ts'
import { recordPartResult, settleRefund } from '#server/billing/refunds/settle-refund.ts'
import { startRefund } from '#server/billing/refunds/start-refund.ts'
import { submitRefund } from '#server/billing/refunds/submit-refund.ts'
import { faults, type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import {
  type CollectedInvoice,
  collectedInvoice,
  makePollsDue,
  refundedAtGateway,
  refundTotals,
} from '#tests/support/billing/refunds.ts'
import { openTestGateway, type TestGateway } from '#tests/support/billing/test-gateway.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'

let double: GatewayDouble
let stage: TestGateway
beforeAll(async () => {
  double = await openDouble()
  double.delayMs = 600
  stage = await openTestGateway(double)
})
afterAll(async () => {
  await stage.close()
  await double.close()
})

const hour = 3_600_000
const collected = (card?: string) =>
  collectedInvoice({ sql: stage.sql, context: stage.patientContext, double }, stage.app, stage.accountId, {
    ...(card !== undefined && { card }),
  })
const db = () => stage.context.database.of(stage.organizationId)

/** A new full refund, and its one part. */
async function newRefund({ id }: CollectedInvoice): Promise<{ id: string; partId: string }> {
  const caller = { applicationId: stage.app.id, personId: '' } as Caller
  const request = {
    invoiceId: id,
    amountCents: undefined,
    reason: null,
    rectifies: false,
    intentId: undefined,
  }
  const { refund, partIds } = await stage.context.database.transact(stage.organizationId, tx =>
    startRefund(tx, caller, { ...request, key: undefined }, {}),
  )
  return { id: refund.id, partId: only(defined(partIds)) }
}
const ask = ({ id, partId }: { id: string; partId: string }) =>
  submitRefund(stage.context, stage.organizationId, id, [partId])

/** Polls like the worker until everything has ended. */
async function recovered(invoice: CollectedInvoice): Promise<void> {
  double.heals()
  for (let round = 0; round < 10; round++) {
    await makePollsDue(stage.sql, invoice.id)
    await pollRefunds(stage.context)
    const refunds = await listRefundsOfInvoice(db(), invoice.id)
    if (refunds.every(({ status }) => status !== 'PENDING')) return
  }
  throw new Error('It never ended')
}

/** Advances time, here and at the gateway. */
async function later(invoice: CollectedInvoice, hours: number): Promise<void> {
  double.later(hours * hour)
  await stage.sql(
    `update refund_part p set requested_at = requested_at - make_interval(hours => $2) from refund r
     where r.id = p.refund_id and r.invoice_id = $1`,
    [invoice.id, hours],
  )
}

/** The ledger agrees with the gateway, which refunded at most what it collected, and one event was emitted. */
async function expectBalanced(invoice: CollectedInvoice): Promise<void> {
  const cents = refundedAtGateway(double, invoice.intents)
  expect(cents).toBeLessThanOrEqual(12_100)
  expect(await refundTotals(stage.sql, invoice.id)).toEqual({
    refunded: cents,
    reserved: cents,
    ledger: 12_100 - cents,
    paid: 12_100,
  })
  const eventNames = (await stage.events(invoice.id)).map(({ name }) => name)
  expect(eventNames).toEqual([cents > 0 ? 'INVOICE_REFUNDED' : 'INVOICE_REFUND_FAILED'])
}

describe.each(['createRefund', 'listRefunds', 'readRefund'] as const)('%s', operation => {
  test.each(faults)('%s', async fault => {
    const invoice = await collected(operation === 'readRefund' ? '4000000000007726' : undefined)
    // lists are read when the result of a request is unknown
    if (operation === 'listRefunds') double.fails('createRefund', 'drop after')
    double.fails(operation, fault)
    await ask(await newRefund(invoice))
    double.later(11_000)
    await recovered(invoice)
    expect(refundedAtGateway(double, invoice.intents)).toBe(12_100)
    await expectBalanced(invoice)
  })
})

test('a refund is not repeated after a day, when its key has expired', async () => {
  const invoice = await collected()
  double.fails('createRefund', 'drop after')
  double.fails('listRefunds', 'refuse')
  await ask(await newRefund(invoice))
  await later(invoice, 25)
  const requestCount = double.requests.filter(({ operation }) => operation === 'createRefund').length
  await recovered(invoice)
  expect(double.requests.filter(({ operation }) => operation === 'createRefund')).toHaveLength(requestCount)
  expect(double.refunds().filter(refund => refund.payment_intent === invoice.intents[0])).toHaveLength(1)
  await expectBalanced(invoice)
})

test('a refund that never reached the gateway is repeated for a day, then fails', async () => {
  const [young, old] = [await collected(), await collected()]
  for (const invoice of [young, old]) {
    double.fails('createRefund', 'drop before')
    await ask(await newRefund(invoice))
  }
  await later(young, 22)
  await later(old, 25)
  await recovered(young)
  expect(refundedAtGateway(double, young.intents)).toBe(12_100)
  // whatever was lost: the gateway recognizes the key
  const keys = double.requests
    .filter(({ params }) => params.payment_intent === young.intents[0] && params.amount !== undefined)
    .map(({ key }) => key)
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
  await expectBalanced(young)
  await recovered(old)
  expect(refundedAtGateway(double, old.intents)).toBe(0)
  await expectBalanced(old)
  // an amount that is no longer reserved can be refunded
  await ask(await newRefund(old))
  expect(refundedAtGateway(double, old.intents)).toBe(12_100)
})

test('an interrupted refund is polled within half a minute, and again within a minute', async () => {
  const invoice = await collected()
  const { partId } = await newRefund(invoice)
  const seconds = async (since: string) =>
    only(
      await stage.sql<{ after: number }>(
        `select extract(epoch from next_poll_at - ${since})::float8 as after from refund_part where id = $1`,
        [partId],
      ),
    ).after
  expect(await seconds('requested_at')).toBeLessThan(30.01)
  // the poller may be killed: the lease ends before the gateway could answer two more calls
  double.fails('listRefunds', 'drop before', 100)
  for (let look = 1; look <= 5; look++) {
    await makePollsDue(stage.sql, invoice.id)
    await pollRefunds(stage.context)
    expect(await seconds('now()')).toBeLessThan(60.01)
  }
  await recovered(invoice)
  await expectBalanced(invoice)
})

test('request, worker and notices simultaneously', async () => {
  const invoice = await collected()
  const refund = await newRefund(invoice)
  double.fails('createRefund', 'delay', 1)
  const place = { organizationId: stage.organizationId, id: refund.partId }
  const at = { organizationId: stage.organizationId, accountId: stage.accountId }
  await makePollsDue(stage.sql, invoice.id)
  await Promise.all([
    ask(refund),
    pollRefunds(stage.context),
    ...[1, 2, 3].map(() => settleRefund(stage.context, place)),
    ...[1, 2, 3].map(() => importRefunds(stage.context, at, firstOf(invoice.intents))),
  ])
  await recovered(invoice)
  await importRefunds(stage.context, at, firstOf(invoice.intents))
  expect(await listRefundsOfInvoice(db(), invoice.id)).toHaveLength(1)
  await expectBalanced(invoice)
})

test('an outdated result does not move a refund back', async () => {
  const invoice = await collected('4000000000005126')
  const { partId } = await newRefund(invoice)
  const gateway = await gatewayOf(stage.context, stage.organizationId, stage.accountId)
  const given = { intentId: firstOf(invoice.intents), amountCents: 12_100, reason: null }
  const seen = await gateway.createRefund(
    { ...given, metadata: { refundPartId: partId } },
    `${partId}:create`,
  )
  const place = { organizationId: stage.organizationId, id: partId }
  await settleRefund(stage.context, place)
  double.later(11_000)
  await settleRefund(stage.context, place)
  for (const status of ['pending', 'succeeded'] as const)
    await recordPartResult(stage.context, place, { refund: { ...seen, status } })
  await recordPartResult(stage.context, place, { failure: { code: 'gateway_unavailable' } })
  expect(await refundTotals(stage.sql, invoice.id)).toMatchObject({
    refunded: 0,
    reserved: 0,
    ledger: 12_100,
  })
  expect(await stage.events(invoice.id)).toMatchObject([
    { name: 'INVOICE_REFUNDED' },
    { name: 'INVOICE_REFUND_FAILED', data: { failureCode: 'expired_or_canceled_card' } },
  ])
})
