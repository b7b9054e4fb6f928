import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { cancelWaitingAttempt } from '#server/billing/charges/cancel-waiting.ts'
import type { AttemptRow } from '#server/billing/charges/charge.row.ts'
import { isOpen } from '#server/billing/charges/charge.rules.ts'
import { findAttempt, insertAttempt } from '#server/billing/charges/charge.sql.ts'
import { pollCharges } from '#server/billing/charges/charge-poller.ts'
import { collectAttempt } from '#server/billing/charges/collect.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { settleAttempt } from '#server/billing/charges/settle.ts'
import { settleOnNotice } from '#server/billing/charges/settle-on-notice.ts'
import { cards } from '#tests/support/billing/charges.ts'
import { type Fault, faults, type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { openTestGateway, type TestGateway } from '#tests/support/billing/test-gateway.ts'
import { defined, lastOf } from '#tests/support/elements.ts'

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

const refOf = ({ id }: AttemptRow) => ({ organizationId: stage.organizationId, id })

/** A new attempt with a card of this number. */
async function newAttempt(card: string): Promise<AttemptRow> {
  const invoice = await plantInvoice(stage, stage.app)
  const attempt = await stage.context.database.transact(stage.organizationId, tx =>
    insertAttempt(tx, {
      id: newId(),
      invoice_id: invoice.id,
      application_id: stage.app.id,
      kind: 'OFF_SESSION',
      amount_cents: 12_100,
      currency: 'eur',
      gateway_account_id: stage.accountId,
      customer_id: null,
      payment_method_id: null,
      gateway_method_id: double.addMethod(card),
      authorization_id: null,
      idempotency_key: null,
      fingerprint: null,
    }),
  )
  return defined(attempt)
}

async function collected(attempt: AttemptRow): Promise<AttemptRow> {
  const { context, organizationId } = stage
  return collectAttempt(
    context,
    organizationId,
    attempt,
    await gatewayOf(context, organizationId, stage.accountId),
  )
}

/** Polls like the worker in the course of a day, until the attempt has ended. */
async function recovered(attempt: AttemptRow): Promise<AttemptRow> {
  double.heals()
  for (let round = 0; round < 10; round++) {
    await stage.sql('update charge_attempt set next_poll_at = now() where id = $1 and ended_at is null', [
      attempt.id,
    ])
    await pollCharges(stage.context)
    const now = defined(await findAttempt(stage.context.database.of(stage.organizationId), attempt.id))
    if (!isOpen(now.state)) return now
  }
  throw new Error('It never ended')
}

/** The ledger and the attempt agree with the gateway, and it collected at most once. */
async function expectBalanced(attempt: AttemptRow): Promise<void> {
  const made = double.intents().filter(({ metadata }) => metadata.attemptId === attempt.id)
  const captured = made.filter(({ amount_received }) => amount_received > 0)
  expect(captured.length).toBeLessThanOrEqual(1)
  const [books] = await stage.sql<{ ledger: number; paid: number }>(
    `select i.paid_cents::int as paid,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry where invoice_id = i.id) as ledger
     from invoice i where i.id = $1`,
    [attempt.invoice_id],
  )
  const cents = captured.reduce((sum, { amount_received }) => sum + amount_received, 0)
  expect(books).toEqual({ ledger: cents, paid: cents })
  expect(attempt.state).toBe(cents > 0 ? 'SUCCEEDED' : 'FAILED')
  // an intent that did not collect never will, if its id is known
  for (const { id, status } of made)
    if (id === attempt.payment_intent_id) expect(['succeeded', 'canceled']).toContain(status)
  const eventNames = (await stage.events(attempt.invoice_id)).map(({ name }) => name)
  expect(eventNames.filter(name => name === 'CHARGE_SUCCEEDED')).toHaveLength(cents > 0 ? 1 : 0)
  expect(eventNames.filter(name => name === 'CHARGE_FAILED')).toHaveLength(cents > 0 ? 0 : 1)
}

/** Whether the gateway executed the request although the answer is lost. */
const isDone: Record<Fault, boolean> = {
  refuse: false,
  'drop before': false,
  '500 before': false,
  '429': false,
  '409 in use': false,
  'drop after': true,
  delay: true,
  '500 after': true,
  garbage: true,
}
/** An unknown intent cannot be confirmed, and the card of one to be cancelled was declined. */
const never = { createIntent: false, cancelIntent: false }

describe.each(['createIntent', 'confirmIntent', 'cancelIntent', 'readIntent'] as const)('%s', operation => {
  test.each(faults)('%s', async fault => {
    // an intent is cancelled after a decline
    const attempt = await newAttempt(operation === 'cancelIntent' ? cards.poor : cards.good)
    double.fails(operation, fault)
    await collected(attempt)
    const ended = await recovered(attempt)
    await expectBalanced(ended)
    const isCollected = { ...never, confirmIntent: isDone[fault], readIntent: true }[operation]
    expect(ended.state).toBe(isCollected ? 'SUCCEEDED' : 'FAILED')
  })
})

test('a request that arrives after the poller gave up collects nothing', async () => {
  const attempt = await newAttempt(cards.good)
  double.fails('confirmIntent', 'drop before')
  const open = await collected(attempt)
  expect(open.state).toBe('CONFIRMING')
  const ended = await recovered(attempt)
  expect(ended.state).toBe('FAILED')
  expect(() => double.pays(defined(ended.payment_intent_id), cards.good)).toThrow()
  await expectBalanced(ended)
})

test('a payment counts even if it arrives while the state is unknown', async () => {
  const attempt = await newAttempt(cards.asks)
  const waiting = await collected(attempt)
  expect(waiting.state).toBe('REQUIRES_ACTION')
  double.fails('cancelIntent', 'drop before')
  expect((await cancelWaitingAttempt(stage.context, refOf(waiting))).state).toBe('CANCELING')
  double.pays(defined(waiting.payment_intent_id), cards.good)
  expect((await recovered(waiting)).state).toBe('SUCCEEDED')
  expect(lastOf(await stage.events(attempt.invoice_id)).name).toBe('INVOICE_PAID')
})

test('an answer to the bank after another payment collects nothing', async () => {
  const attempt = await newAttempt(cards.asks)
  const waiting = await collected(attempt)
  expect((await cancelWaitingAttempt(stage.context, refOf(waiting))).state).toBe('FAILED')
  expect(() => double.pays(defined(waiting.payment_intent_id), cards.good)).toThrow()
  await settleAttempt(stage.context, refOf(waiting))
  expect(double.intent(defined(waiting.payment_intent_id)).amount_received).toBe(0)
})

test('notices before the answer, twice, late and never: one payment and one event', async () => {
  const attempt = await newAttempt(cards.slow)
  const slow = await collected(attempt)
  expect(slow.state).toBe('PROCESSING')
  const hint = () =>
    settleOnNotice(
      stage.context,
      { organizationId: stage.organizationId, accountId: stage.accountId },
      { about: 'intent', objectId: defined(slow.payment_intent_id), intentId: slow.payment_intent_id },
    )
  await hint()
  double.later(60_000)
  await Promise.all([hint(), hint(), recovered(slow)])
  await hint()
  const ended = await findAttempt(stage.context.database.of(stage.organizationId), slow.id)
  await expectBalanced(defined(ended))
})

test('a notice that arrives during the confirmation', async () => {
  const attempt = await newAttempt(cards.good)
  double.fails('confirmIntent', 'delay', 1)
  const charging = collected(attempt)
  for (;;) {
    const [intent] = double.intents().filter(({ metadata }) => metadata.attemptId === attempt.id)
    if (intent?.status === 'succeeded') {
      await settleOnNotice(
        stage.context,
        { organizationId: stage.organizationId, accountId: stage.accountId },
        { about: 'intent', objectId: intent.id, intentId: intent.id },
      )
      break
    }
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  const early = defined(await findAttempt(stage.context.database.of(stage.organizationId), attempt.id))
  expect(early.state).toBe('SUCCEEDED')
  await expectBalanced(await charging)
})

test('a charge fails for sure when the gateway is down', async () => {
  const attempt = await newAttempt(cards.good)
  await double.down()
  const failed = await collected(attempt)
  await double.up()
  expect(failed).toMatchObject({ state: 'FAILED', failure_code: 'gateway_unavailable' })
  await expectBalanced(failed)
})
