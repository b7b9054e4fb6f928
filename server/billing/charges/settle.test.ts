import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Gateway,
  GatewayMissing,
  GatewayRefused,
  GatewayUnknown,
  type Intent,
  type NewIntent,
} from '#platform/adapters/gateway/port.ts'
import { newId } from '#platform/ids.ts'
import { organizationOfInvoice } from '#tests/support/billing/invoice-organization.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { openTestGateway, type TestGateway } from '#tests/support/billing/test-gateway.ts'
import { earlier } from '#tests/support/earlier.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { cancelWaitingAttempt } from './cancel-waiting.ts'
import { showCharge } from './charge.json.ts'
import type { AttemptRow } from './charge.row.ts'
import { insertAttempt, lockAttempt } from './charge.sql.ts'
import { pollCharges } from './charge-poller.ts'
import { collectAttempt } from './collect.ts'
import type { PaymentContext } from './payment-context.ts'
import { failUnsentAttempt, settleAttempt } from './settle.ts'
import { settleOnNotice } from './settle-on-notice.ts'

let stage: TestGateway
let organizationId: string
beforeAll(async () => {
  stage = await openTestGateway()
  organizationId = stage.organizationId
})
afterAll(() => stage.close())

/** A gateway whose confirmation does what the test says. */
class Scripted {
  readonly intents = new Map<string, Intent>()
  readonly operations: string[] = []
  readonly cancelKeys: string[] = []
  readonly confirmed: unknown[] = []
  /** Runs instead, once. */
  readonly instead: { [Operation in 'create' | 'confirm' | 'read' | 'cancel']?: () => unknown } = {}
  onConfirm: (intent: Intent) => void = intent => succeed(intent)
  readonly gateway = {
    createIntent: async (given: NewIntent) => {
      const { amountCents, currency, metadata } = given
      const id = `pi_${newId()}`
      const intent: Intent = {
        id,
        status: 'requires_confirmation',
        amountCents,
        currency,
        metadata,
        receivedCents: 0,
        clientSecret: `${id}_secret`,
        failure: null,
      }
      await this.#plan('create')
      this.intents.set(id, intent)
      return { ...intent }
    },
    confirmIntent: async (id: string, given: unknown) => {
      this.confirmed.push(given)
      await this.#plan('confirm')
      const intent = defined(this.intents.get(id))
      this.onConfirm(intent)
      if (intent.failure) throw new GatewayRefused(intent.failure, intent)
      return { ...intent }
    },
    readIntent: async (id: string) => {
      await this.#plan('read')
      return { ...defined(this.intents.get(id)) }
    },
    cancelIntent: async (id: string, key: string) => {
      this.cancelKeys.push(key)
      await this.#plan('cancel')
      const intent = defined(this.intents.get(id))
      if (intent.status.startsWith('requires_')) intent.status = 'canceled'
      return { ...intent }
    },
  } as unknown as Gateway

  async #plan(operation: keyof Scripted['instead']): Promise<void> {
    this.operations.push(operation)
    const plan = this.instead[operation]
    delete this.instead[operation]
    await plan?.()
  }
}

function succeed(intent: Intent): void {
  Object.assign(intent, { status: 'succeeded', receivedCents: intent.amountCents, failure: null })
}
function fault(intent: Intent, code: string, declineCode: string | null = null): void {
  intent.status = 'requires_payment_method'
  intent.failure = { code, declineCode, message: 'No.' }
}
const silence = () => {
  throw new GatewayUnknown('no answer')
}

function contextOf(scripted: Scripted): PaymentContext {
  return { ...stage.context, gateways: { of: () => scripted.gateway } }
}

const collected = (scripted: Scripted, attempt: AttemptRow) =>
  collectAttempt(contextOf(scripted), organizationId, attempt, scripted.gateway)

async function newAttempt(given: { kind?: 'ON_SESSION'; totalCents?: number } = {}) {
  const invoice = await plantInvoice(stage, stage.app, { totalCents: given.totalCents ?? 12_100 })
  const inserted = await stage.context.database.transact(organizationId, tx =>
    insertAttempt(tx, {
      id: newId(),
      invoice_id: invoice.id,
      application_id: stage.app.id,
      kind: given.kind ?? 'OFF_SESSION',
      amount_cents: given.totalCents ?? 12_100,
      currency: 'eur',
      gateway_account_id: stage.accountId,
      customer_id: null,
      payment_method_id: null,
      gateway_method_id: 'pm_1',
      authorization_id: null,
      idempotency_key: null,
      fingerprint: null,
    }),
  )
  const attempt = defined(inserted)
  return { attempt, ref: { organizationId, id: attempt.id }, invoice }
}

const names = async (invoiceId: string) => (await stage.events(invoiceId)).map(({ name }) => name)

async function books(invoiceId: string) {
  const row = only(
    await stage.sql<{ paid: number; payments: number; ledger: number; overpaid: number }>(
      `select i.paid_cents::int as paid, i.overpaid_cents::int as overpaid,
       (select count(*)::int from payment where organization_id = $1 and invoice_id = $2) as payments,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry
        where organization_id = $1 and invoice_id = $2) as ledger
     from invoice i where i.organization_id = $1 and i.id = $2`,
      [await organizationOfInvoice(stage.sql, invoiceId), invoiceId],
    ),
  )
  return row
}
const paidOnce = { paid: 12_100, payments: 1, ledger: 12_100, overpaid: 0 }
const nothing = { paid: 0, payments: 0, ledger: 0, overpaid: 0 }

test('a payment that succeeds at once is booked once and emits the charge event', async () => {
  const scripted = new Scripted()
  const { attempt, ref, invoice } = await newAttempt()
  const done = await collected(scripted, attempt)
  expect(done).toMatchObject({ state: 'SUCCEEDED', invoice_fully_paid: true, link_id: null })
  expect(await books(invoice.id)).toEqual(paidOnce)
  expect(stage.logged()).not.toContain(attempt.id)
  expect(scripted.confirmed).toEqual([{ isOffSession: true }])
  await Promise.all(Array.from({ length: 8 }, () => settleAttempt(contextOf(scripted), ref)))
  expect(await books(invoice.id)).toEqual(paidOnce)
  const [event, ...others] = await stage.events(invoice.id)
  expect(others).toEqual([])
  expect(event).toMatchObject({ name: 'CHARGE_SUCCEEDED', data: { invoiceFullyPaid: true, status: 'PAID' } })
})

test('a declined card fails the attempt, and its intent is cancelled', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'card_declined', 'insufficient_funds')
  const { attempt, ref, invoice } = await newAttempt()
  const done = await collected(scripted, attempt)
  // a terminal state does not change
  expect(await settleAttempt(contextOf(scripted), ref)).toEqual({ ...done, age_seconds: expect.any(Number) })
  expect(done).toMatchObject({
    state: 'FAILED',
    failure_code: 'card_declined',
    decline_code: 'insufficient_funds',
    failure_message: 'No.',
  })
  expect(defined(scripted.intents.get(defined(done.payment_intent_id))).status).toBe('canceled')
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
  expect(await books(invoice.id)).toEqual(nothing)
})

test.each([
  ['authentication_required', null],
  ['card_declined', 'authentication_required'],
])(
  'a bank that asks (%s, %s) is no failure: the payer gets a link and pays the invoice',
  async (code, declineCode) => {
    const scripted = new Scripted()
    scripted.onConfirm = intent => fault(intent, code, declineCode)
    const { attempt, ref, invoice } = await newAttempt()
    const waiting = await collected(scripted, attempt)
    expect(waiting.state).toBe('REQUIRES_ACTION')
    const event = firstOf(await stage.events(invoice.id))
    expect(event.name).toBe('CHARGE_REQUIRES_ACTION')
    expect(event.data.publicUrl).toMatch(/^http:\/\/localhost:4000\/p\/./)
    expect(JSON.stringify(event)).not.toContain('_secret')
    await settleAttempt(contextOf(scripted), ref)
    succeed(defined(scripted.intents.get(defined(waiting.payment_intent_id))))
    expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('SUCCEEDED')
    expect(await names(invoice.id)).toEqual(['CHARGE_REQUIRES_ACTION', 'INVOICE_PAID'])
    expect(itemAt(await stage.events(invoice.id), 1).data).toMatchObject({
      source: 'gateway',
      method: 'GATEWAY_CARD',
    })
  },
)

test('the amount that was collected is booked', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => {
    succeed(intent)
    intent.receivedCents = 2_100
  }
  const { attempt, invoice } = await newAttempt()
  expect(await collected(scripted, attempt)).toMatchObject({ state: 'SUCCEEDED', invoice_fully_paid: false })
  expect(await books(invoice.id)).toEqual({ paid: 2_100, payments: 1, ledger: 2_100, overpaid: 0 })
  expect(await stage.events(invoice.id)).toMatchObject([
    { name: 'CHARGE_SUCCEEDED', data: { invoiceFullyPaid: false, status: 'PARTIALLY_PAID' } },
  ])
})

const failure = { code: 'amount_too_small', declineCode: null, message: 'Too little.' }
test.each([
  [new GatewayUnknown('no answer'), { failure_code: 'gateway_unavailable' }],
  [new GatewayMissing('no such customer'), { failure_code: 'gateway_unavailable' }],
  [new GatewayRefused(failure), { failure_code: 'amount_too_small', failure_message: 'Too little.' }],
  [
    new GatewayRefused({ ...failure, code: null, message: null }),
    { failure_code: 'card_declined', failure_message: 'The card was declined.' },
  ],
])('an intent that could not be created fails the attempt: %s', async (error, data) => {
  const scripted = new Scripted()
  scripted.instead.create = () => {
    throw error
  }
  const { attempt, invoice } = await newAttempt()
  const done = await collected(scripted, attempt)
  expect(done).toMatchObject({ state: 'FAILED', ...data })
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
  expect(scripted.operations).toEqual(['create'])
})

test('a refusal without a trace at the gateway fails the attempt too', async () => {
  const scripted = new Scripted()
  scripted.instead.confirm = () => {
    throw new GatewayRefused({ code: 'resource_missing', declineCode: null, message: 'No such card' })
  }
  const { attempt } = await newAttempt()
  const done = await collected(scripted, attempt)
  expect(done).toMatchObject({ state: 'FAILED', failure_code: 'resource_missing' })
})

test('a lost answer is recovered by reading the intent', async () => {
  const scripted = new Scripted()
  const confirm = scripted.gateway.confirmIntent
  scripted.gateway.confirmIntent = async (...args) => {
    await confirm(...args)
    return silence()
  }
  const { attempt, invoice } = await newAttempt()
  expect((await collected(scripted, attempt)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toEqual(paidOnce)
})

test('an attempt stays unchanged while the gateway is silent, and the poller ends it', async () => {
  const scripted = new Scripted()
  const { attempt, invoice } = await newAttempt()
  scripted.instead.confirm = silence
  scripted.instead.read = silence
  const open = await collected(scripted, attempt)
  expect(open.state).toBe('CONFIRMING')
  // the poller gave it up a moment before its intent was stored
  expect((await failUnsentAttempt(contextOf(scripted), { organizationId, id: open.id })).state).toBe(
    'CONFIRMING',
  )
  // a request may still be working on it
  expect(await pollCharges(contextOf(scripted))).toBe(0)
  expect((await settleAttempt(contextOf(scripted), { organizationId, id: open.id })).state).toBe('CONFIRMING')
  await due(open)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(open)).toBe('FAILED')
  expect(defined(scripted.intents.get(defined(open.payment_intent_id))).status).toBe('canceled')
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
})

test.each([
  new GatewayMissing('no such intent'),
  new GatewayRefused({ code: 'api_key_expired', declineCode: null, message: 'No.' }),
])('an unusable answer of the gateway does not change the attempt: %s', async error => {
  const scripted = new Scripted()
  scripted.instead.read = () => {
    throw error
  }
  const { attempt, ref } = await newAttempt()
  expect((await collected(scripted, attempt)).state).toBe('CONFIRMING')
  expect(stage.logged()).toContain(attempt.id)
  expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('SUCCEEDED')
})

test('a request without an answer returns what another process has recorded', async () => {
  const scripted = new Scripted()
  const { attempt, ref } = await newAttempt()
  scripted.instead.read = async () => {
    await settleAttempt(contextOf(scripted), ref)
    silence()
  }
  expect((await collected(scripted, attempt)).state).toBe('SUCCEEDED')
})

test('an intent that was read before its payment, which another process has booked since, changes nothing', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, ref, invoice } = await newAttempt()
  await collected(scripted, attempt)
  const read = scripted.gateway.readIntent
  scripted.gateway.readIntent = async id => {
    scripted.gateway.readIntent = read
    const unpaid = await read(id)
    succeed(defined(scripted.intents.get(id)))
    await settleAttempt(contextOf(scripted), ref)
    return unpaid
  }
  expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toEqual(paidOnce)
})

test('a refusal whose answer was lost fails with its original reason', async () => {
  const scripted = new Scripted()
  const { attempt, invoice } = await newAttempt()
  scripted.onConfirm = intent => {
    fault(intent, 'card_declined', 'insufficient_funds')
    silence()
  }
  scripted.instead.read = silence
  const open = await collected(scripted, attempt)
  await due(open)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(open)).toBe('FAILED')
  const data = await stage.events(invoice.id)
  expect(data).toMatchObject([
    { name: 'CHARGE_FAILED', data: { failureCode: 'card_declined', declineCode: 'insufficient_funds' } },
  ])
})

test('a row that cannot be polled delays no other and becomes due again', async () => {
  const scripted = new Scripted()
  const unread = async () => {
    scripted.instead.read = silence
    const attempt = await collected(scripted, (await newAttempt()).attempt)
    await due(attempt)
    return attempt
  }
  const [lost, odd] = [await unread(), await unread()]
  const read = scripted.gateway.readIntent
  scripted.gateway.readIntent = async id => {
    // a row that is being polled is not claimed again
    expect(await pollCharges(contextOf(scripted))).toBe(0)
    if (id === odd.payment_intent_id) throw new Error('odd')
    return read(id)
  }
  expect(await pollCharges(contextOf(scripted))).toBe(2)
  expect(await stateOf(lost)).toBe('SUCCEEDED')
  expect(await stateOf(odd)).toBe('CONFIRMING')
})

test('the poller skips rows that another process has locked', async () => {
  const [held, free] = [(await newAttempt()).attempt, (await newAttempt()).attempt]
  await Promise.all([due(held), due(free)])
  await stage.context.database.transact(organizationId, async tx => {
    await lockAttempt(tx, held.id)
    await pollCharges(stage.context)
    expect([await stateOf(held), await stateOf(free)]).toEqual(['CREATED', 'FAILED'])
  })
})

test('the poller finds payments that succeeded, and fails attempts that never started', async () => {
  const scripted = new Scripted()
  const lost = await newAttempt()
  scripted.instead.read = silence
  const open = await collected(scripted, lost.attempt)
  expect(open.state).toBe('CONFIRMING')
  const never = await newAttempt()
  await Promise.all([due(open), due(never.attempt)])
  // two workers simultaneously, each with its own rows
  await Promise.all([pollCharges(contextOf(scripted)), pollCharges(contextOf(scripted))])
  expect(await stateOf(open)).toBe('SUCCEEDED')
  expect(await books(lost.invoice.id)).toEqual(paidOnce)
  expect(await stateOf(never.attempt)).toBe('FAILED')
})

test('a slow attempt is polled less and less often, and never given up', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => {
    intent.status = 'processing'
  }
  const { attempt, invoice } = await newAttempt()
  const slow = await collected(scripted, attempt)
  expect(slow.state).toBe('PROCESSING')
  const waits: number[] = []
  for (let look = 0; look < 5; look++) {
    waits.push(await waitOf(slow))
    await due(slow)
    await pollCharges(contextOf(scripted))
  }
  expect(waits).toEqual([60, 300, 3_600, 86_400, 86_400])
  // a new state restarts the poll intervals
  fault(defined(scripted.intents.get(defined(slow.payment_intent_id))), 'card_declined')
  for (const wait of [15, 30]) {
    scripted.instead.cancel = silence
    await due(slow)
    await pollCharges(contextOf(scripted))
    expect(await waitOf(slow)).toBe(wait)
  }
  await due(slow)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(slow)).toBe('FAILED')
  // the same key would get the failed answer again
  expect(new Set(scripted.cancelKeys).size).toBe(3)
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
})

test('an attempt is cancelled when the payer does not answer for a day', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, ref, invoice } = await newAttempt()
  const waiting = await collected(scripted, attempt)
  await due(waiting)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(waiting)).toBe('REQUIRES_ACTION')
  await stage.sql(
    `update charge_attempt set created_at = ${earlier('created_at', "interval '25 hours'")} where id = $1`,
    [waiting.id],
  )
  expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('REQUIRES_ACTION')
  await due(waiting)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(waiting)).toBe('FAILED')
  expect((await stage.events(invoice.id)).at(-1)).toMatchObject({
    name: 'CHARGE_FAILED',
    data: { failureCode: 'canceled' },
  })
})

test('a cancellation is too late when the payer was faster', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, ref, invoice } = await newAttempt()
  const waiting = await collected(scripted, attempt)
  succeed(defined(scripted.intents.get(defined(waiting.payment_intent_id))))
  for (const _time of ['first', 'again'])
    expect((await cancelWaitingAttempt(contextOf(scripted), ref)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toEqual(paidOnce)
})

test('a cancellation without an answer blocks the invoice until there is one', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, ref } = await newAttempt()
  const waiting = await collected(scripted, attempt)
  scripted.instead.cancel = silence
  expect((await cancelWaitingAttempt(contextOf(scripted), ref)).state).toBe('CANCELING')
  expect(scripted.operations.slice(-2)).toEqual(['read', 'cancel'])
  await due(waiting)
  await pollCharges(contextOf(scripted))
  expect(await stateOf(waiting)).toBe('FAILED')
})

test.each([
  ['the attempt had failed', 'card_declined', '', 0],
  ['the invoice was paid', 'authentication_required', 'paid_cents = total_cents', 12_100],
  ['the invoice was voided', 'authentication_required', `lifecycle = 'VOIDED', voided_at = now()`, 12_100],
])('money that arrives after %s is booked and logged', async (_what, code, change, overpaid) => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, code)
  const { attempt, ref, invoice } = await newAttempt()
  const { payment_intent_id } = await collected(scripted, attempt)
  if (change) await stage.sql(`update invoice set ${change} where id = $1`, [invoice.id])
  succeed(defined(scripted.intents.get(defined(payment_intent_id))))
  expect(await settleAttempt(contextOf(scripted), ref)).toMatchObject({
    state: 'SUCCEEDED',
    failure_code: null,
  })
  expect(await books(invoice.id)).toMatchObject({ overpaid, payments: 1, ledger: 12_100 })
  const lines = stage.logged().split('\n')
  expect(lines.filter(line => line.includes('was not due') && line.includes(attempt.id))).toHaveLength(1)
})

test('a payer who is present can try again, and the attempt waits for them', async () => {
  const scripted = new Scripted()
  const { attempt, ref, invoice } = await newAttempt({ kind: 'ON_SESSION' })
  const open = await collected(scripted, attempt)
  expect(open.state).toBe('REQUIRES_ACTION')
  expect(scripted.operations).toEqual(['create', 'read'])
  fault(defined(scripted.intents.get(defined(open.payment_intent_id))), 'card_declined')
  expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('REQUIRES_ACTION')
  // with the same link, also when the other card is slow and fails
  defined(scripted.intents.get(defined(open.payment_intent_id))).status = 'processing'
  expect((await settleAttempt(contextOf(scripted), ref)).state).toBe('PROCESSING')
  fault(defined(scripted.intents.get(defined(open.payment_intent_id))), 'card_declined')
  expect(await settleAttempt(contextOf(scripted), ref)).toMatchObject({
    state: 'REQUIRES_ACTION',
    link_id: open.link_id,
  })
  succeed(defined(scripted.intents.get(defined(open.payment_intent_id))))
  await settleAttempt(contextOf(scripted), ref)
  expect(await names(invoice.id)).toEqual(['INVOICE_PAID'])
})

test('a notice only triggers reading the intent', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => {
    intent.status = 'processing'
  }
  const { attempt, invoice } = await newAttempt()
  const slow = await collected(scripted, attempt)
  const at = { organizationId, accountId: stage.accountId }
  const hint = {
    about: 'intent',
    objectId: defined(slow.payment_intent_id),
    intentId: slow.payment_intent_id,
  } as const
  await settleOnNotice(contextOf(scripted), at, hint)
  expect(await stateOf(slow)).toBe('PROCESSING')
  succeed(defined(scripted.intents.get(defined(slow.payment_intent_id))))
  await Promise.all([1, 2, 3].map(() => settleOnNotice(contextOf(scripted), at, hint)))
  expect(await books(invoice.id)).toEqual(paidOnce)
  expect(await names(invoice.id)).toEqual(['CHARGE_SUCCEEDED'])
})

test('the intent of a given-up attempt is cancelled', async () => {
  const scripted = new Scripted()
  const { attempt } = await newAttempt()
  scripted.instead.create = async () => {
    await due(attempt)
    await pollCharges(contextOf(scripted))
  }
  const done = await collected(scripted, attempt)
  expect(done).toMatchObject({ state: 'FAILED', payment_intent_id: null })
  const intent = only([...scripted.intents.values()])
  expect(intent.status).toBe('canceled')
  intent.status = 'requires_confirmation'
  const hint = ({ id }: Intent) =>
    settleOnNotice(
      contextOf(scripted),
      { organizationId, accountId: stage.accountId },
      { about: 'intent', objectId: id, intentId: id },
    )
  await hint(intent)
  expect(intent.status).toBe('canceled')

  // the process of a new intent is about to store its id
  const { attempt: young } = await newAttempt()
  const made = await scripted.gateway.createIntent(
    { ...intent, customerId: null, methodId: null, metadata: { attemptId: young.id } },
    'key',
  )
  await hint(made)
  expect(defined(scripted.intents.get(made.id)).status).toBe('requires_confirmation')
  // an unknown intent is not read
  const waiting = scripted.operations.length
  expect((await settleAttempt(contextOf(scripted), { organizationId, id: young.id })).state).toBe('CREATED')
  expect(scripted.operations).toHaveLength(waiting)
})

async function due({ id }: Pick<AttemptRow, 'id'>): Promise<void> {
  await stage.sql(`update charge_attempt set next_poll_at = now() - interval '1 second' where id = $1`, [id])
}
async function stateOf({ id }: Pick<AttemptRow, 'id'>): Promise<string> {
  const row = only(await stage.sql<{ state: string }>('select state from charge_attempt where id = $1', [id]))
  return row.state
}
async function waitOf({ id }: Pick<AttemptRow, 'id'>): Promise<number> {
  const row = only(
    await stage.sql<{ seconds: number }>(
      `select extract(epoch from next_poll_at - updated_at)::int as seconds from charge_attempt where id = $1`,
      [id],
    ),
  )
  return row.seconds
}

test('without the client secret the payer of a waiting payment still gets the link', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt } = await newAttempt()
  const waiting = await collected(scripted, attempt)
  scripted.instead.read = () => {
    throw new GatewayRefused({ code: 'api_key_expired', declineCode: null, message: null })
  }
  expect(await showCharge(contextOf(scripted), organizationId, waiting)).toMatchObject({
    status: 'REQUIRES_ACTION',
    clientSecret: null,
    publicUrl: expect.stringContaining('/p/'),
  })
})
