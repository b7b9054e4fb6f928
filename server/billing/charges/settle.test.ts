import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import {
  type Gateway,
  GatewayRefused,
  GatewayUnknown,
  type Intent,
  type NewIntent,
} from '#platform/outside/gateway/port.ts'
import { plantInvoice } from '#tests/billing.ts'
import { openTill, type TestTill } from '#tests/till.ts'
import { cancelWaiting } from './cancel.ts'
import { collect } from './collect.ts'
import { settleByHint } from './hint.ts'
import { recoverCharges } from './recovery.ts'
import type { AttemptRow } from './row.ts'
import { settle } from './settle.ts'
import { insertAttempt } from './store.ts'
import type { Till } from './till.ts'

let stage: TestTill
let organizationId: string
beforeAll(async () => {
  stage = await openTill()
  organizationId = stage.organizationId
})
afterAll(() => stage.close())

/** A gateway that does what the test says when a payment is confirmed. */
class Scripted {
  readonly intents = new Map<string, Intent>()
  readonly asked: string[] = []
  /** What is done instead, once. */
  readonly instead: { [Operation in 'create' | 'confirm' | 'read' | 'cancel']?: () => unknown } = {}
  onConfirm: (intent: Intent) => void = intent => succeed(intent)
  readonly gateway = {
    createIntent: async (given: NewIntent) => {
      const { amountCents, currency, metadata } = given
      const id = `pi_${newId()}`
      const intent: Intent = {
        ...{ id, status: 'requires_confirmation', amountCents, currency, metadata },
        ...{ receivedCents: 0, clientSecret: `${id}_secret`, failure: null },
      }
      await this.#plan('create')
      this.intents.set(id, intent)
      return { ...intent }
    },
    confirmIntent: async (id: string) => {
      await this.#plan('confirm')
      const intent = this.intents.get(id)!
      this.onConfirm(intent)
      if (intent.failure) throw new GatewayRefused(intent.failure, intent)
      return { ...intent }
    },
    readIntent: async (id: string) => {
      await this.#plan('read')
      return { ...this.intents.get(id)! }
    },
    cancelIntent: async (id: string) => {
      await this.#plan('cancel')
      const intent = this.intents.get(id)!
      if (intent.status.startsWith('requires_')) intent.status = 'canceled'
      return { ...intent }
    },
  } as unknown as Gateway

  async #plan(operation: keyof Scripted['instead']): Promise<void> {
    this.asked.push(operation)
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

function tillOf(scripted: Scripted): Till {
  return { ...stage.till, gateways: { of: () => scripted.gateway } }
}

async function begun(given: { kind?: 'ON_SESSION'; totalCents?: number } = {}) {
  const invoice = await plantInvoice(stage, stage.app, { totalCents: given.totalCents ?? 12_100 })
  const attempt = await stage.till.database.transact(organizationId, tx =>
    insertAttempt(tx, {
      ...{
        id: newId(),
        invoice_id: invoice.id,
        application_id: stage.app.id,
        kind: given.kind ?? 'OFF_SESSION',
      },
      ...{ amount_cents: given.totalCents ?? 12_100, currency: 'eur', gateway_account_id: stage.accountId },
      ...{ customer_id: null, payment_method_id: null, gateway_method_id: 'pm_1', authorization_id: null },
      ...{ idempotency_key: null, fingerprint: null },
    }),
  )
  return { attempt: attempt!, place: { organizationId, id: attempt!.id }, invoice }
}

const names = async (invoiceId: string) => (await stage.told(invoiceId)).map(({ name }) => name)

async function books(invoiceId: string) {
  const [row] = await stage.sql<{ paid: number; payments: number; ledger: number; overpaid: number }>(
    `select i.paid_cents::int as paid, i.overpaid_cents::int as overpaid,
       (select count(*)::int from payment where invoice_id = i.id) as payments,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry where invoice_id = i.id) as ledger
     from invoice i where id = $1`,
    [invoiceId],
  )
  return row!
}
const paidOnce = { paid: 12_100, payments: 1, ledger: 12_100, overpaid: 0 }
const nothing = { paid: 0, payments: 0, ledger: 0, overpaid: 0 }

test('money that comes at once is booked once and told of as a charge', async () => {
  const scripted = new Scripted()
  const { attempt, place, invoice } = await begun()
  const done = await collect(tillOf(scripted), organizationId, attempt)
  expect(done).toMatchObject({ state: 'SUCCEEDED', invoice_fully_paid: true, link_id: null })
  expect(await books(invoice.id)).toEqual(paidOnce)
  await Promise.all(Array.from({ length: 8 }, () => settle(tillOf(scripted), place)))
  expect(await books(invoice.id)).toEqual(paidOnce)
  const [event, ...others] = await stage.told(invoice.id)
  expect(others).toEqual([])
  expect(event).toMatchObject({ name: 'CHARGE_SUCCEEDED', data: { invoiceFullyPaid: true, status: 'PAID' } })
})

test('a card that is declined ends the attempt, and nobody can go on with it', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'card_declined', 'insufficient_funds')
  const { attempt, invoice } = await begun()
  const done = await collect(tillOf(scripted), organizationId, attempt)
  expect(done).toMatchObject({
    state: 'FAILED',
    failure_code: 'card_declined',
    decline_code: 'insufficient_funds',
    failure_message: 'No.',
  })
  expect(scripted.intents.get(done.payment_intent_id!)!.status).toBe('canceled')
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
  expect(await books(invoice.id)).toEqual(nothing)
})

test('a bank that asks is no failure: the payer gets a link, and what they pay is the invoice paid', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, place, invoice } = await begun()
  const asked = await collect(tillOf(scripted), organizationId, attempt)
  expect(asked.state).toBe('REQUIRES_ACTION')
  const [event] = await stage.told(invoice.id)
  expect(event!.name).toBe('CHARGE_REQUIRES_ACTION')
  expect(event!.data.publicUrl).toMatch(/^http:\/\/localhost:4000\/p\/./)
  expect(JSON.stringify(event)).not.toContain('_secret')
  succeed(scripted.intents.get(asked.payment_intent_id!)!)
  expect((await settle(tillOf(scripted), place)).state).toBe('SUCCEEDED')
  expect(await names(invoice.id)).toEqual(['CHARGE_REQUIRES_ACTION', 'INVOICE_PAID'])
  expect((await stage.told(invoice.id))[1]!.data).toMatchObject({ source: 'gateway', method: 'GATEWAY_CARD' })
})

test('an intent that could not be made is a failure for sure', async () => {
  const scripted = new Scripted()
  scripted.instead.create = silence
  const { attempt, invoice } = await begun()
  const done = await collect(tillOf(scripted), organizationId, attempt)
  expect(done).toMatchObject({ state: 'FAILED', failure_code: 'gateway_unavailable' })
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
  expect(scripted.asked).toEqual(['create'])
})

test('a refusal that leaves no trace at the gateway ends the attempt as well', async () => {
  const scripted = new Scripted()
  scripted.instead.confirm = () => {
    throw new GatewayRefused({ code: 'resource_missing', declineCode: null, message: 'No such card' })
  }
  const { attempt } = await begun()
  const done = await collect(tillOf(scripted), organizationId, attempt)
  expect(done).toMatchObject({ state: 'FAILED', failure_code: 'resource_missing' })
})

test('an answer that is lost is found by looking', async () => {
  const scripted = new Scripted()
  const confirm = scripted.gateway.confirmIntent
  scripted.gateway.confirmIntent = async (...args) => {
    await confirm(...args)
    return silence()
  }
  const { attempt, invoice } = await begun()
  expect((await collect(tillOf(scripted), organizationId, attempt)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toEqual(paidOnce)
})

test('while the gateway says nothing an attempt stays what it was, and recovery ends it', async () => {
  const scripted = new Scripted()
  const { attempt, invoice } = await begun()
  scripted.instead.confirm = silence
  scripted.instead.read = silence
  const open = await collect(tillOf(scripted), organizationId, attempt)
  expect(open.state).toBe('CONFIRMING')
  // somebody may still be at work on it
  expect(await recoverCharges(tillOf(scripted))).toBe(0)
  expect((await settle(tillOf(scripted), { organizationId, id: open.id })).state).toBe('CONFIRMING')
  await due(open)
  await recoverCharges(tillOf(scripted))
  expect(await stateOf(open)).toBe('FAILED')
  expect(scripted.intents.get(open.payment_intent_id!)!.status).toBe('canceled')
  expect(await names(invoice.id)).toEqual(['CHARGE_FAILED'])
})

test('recovery finds what went through, and gives up what never began', async () => {
  const scripted = new Scripted()
  const lost = await begun()
  scripted.instead.read = silence
  const open = await collect(tillOf(scripted), organizationId, lost.attempt)
  expect(open.state).toBe('CONFIRMING')
  const never = await begun()
  await Promise.all([due(open), due(never.attempt)])
  // two workers at once, each of which takes its own
  await Promise.all([recoverCharges(tillOf(scripted)), recoverCharges(tillOf(scripted))])
  expect(await stateOf(open)).toBe('SUCCEEDED')
  expect(await books(lost.invoice.id)).toEqual(paidOnce)
  expect(await stateOf(never.attempt)).toBe('FAILED')
})

test('what is slow is looked at again, less and less often, and never given up', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => {
    intent.status = 'processing'
  }
  const { attempt, invoice } = await begun()
  const slow = await collect(tillOf(scripted), organizationId, attempt)
  expect(slow.state).toBe('PROCESSING')
  const waits: number[] = []
  for (let look = 0; look < 5; look++) {
    waits.push(await waitOf(slow))
    await due(slow)
    await recoverCharges(tillOf(scripted))
  }
  expect(waits).toEqual([60, 300, 3_600, 86_400, 86_400])
  succeed(scripted.intents.get(slow.payment_intent_id!)!)
  await due(slow)
  await recoverCharges(tillOf(scripted))
  expect(await names(invoice.id)).toEqual(['CHARGE_SUCCEEDED'])
})

test('a payer who does not answer for a day is not waited for', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, invoice } = await begun()
  const asked = await collect(tillOf(scripted), organizationId, attempt)
  await due(asked)
  await recoverCharges(tillOf(scripted))
  expect(await stateOf(asked)).toBe('REQUIRES_ACTION')
  await stage.sql(`update charge_attempt set created_at = created_at - interval '25 hours' where id = $1`, [
    asked.id,
  ])
  await due(asked)
  await recoverCharges(tillOf(scripted))
  expect(await stateOf(asked)).toBe('FAILED')
  expect((await stage.told(invoice.id)).at(-1)).toMatchObject({
    name: 'CHARGE_FAILED',
    data: { failureCode: 'canceled' },
  })
})

test('cancelling comes too late when the payer was faster', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, place, invoice } = await begun()
  const asked = await collect(tillOf(scripted), organizationId, attempt)
  succeed(scripted.intents.get(asked.payment_intent_id!)!)
  expect((await cancelWaiting(tillOf(scripted), place)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toEqual(paidOnce)
})

test('cancelling without an answer keeps the slot until there is one', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'authentication_required')
  const { attempt, place } = await begun()
  const asked = await collect(tillOf(scripted), organizationId, attempt)
  scripted.instead.cancel = silence
  expect((await cancelWaiting(tillOf(scripted), place)).state).toBe('CANCELING')
  await due(asked)
  await recoverCharges(tillOf(scripted))
  expect(await stateOf(asked)).toBe('FAILED')
})

test('money that comes after all is booked, however unexpected, and somebody is told', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => fault(intent, 'card_declined')
  const { attempt, place, invoice } = await begun()
  const failed = await collect(tillOf(scripted), organizationId, attempt)
  await stage.sql(`update invoice set paid_cents = total_cents where id = $1`, [invoice.id])
  succeed(scripted.intents.get(failed.payment_intent_id!)!)
  expect((await settle(tillOf(scripted), place)).state).toBe('SUCCEEDED')
  expect(await books(invoice.id)).toMatchObject({ overpaid: 12_100, payments: 1 })
  expect(stage.logged()).toContain('the gateway collected money that was not due')
})

test('a payer who is there has another try, and the attempt waits for them', async () => {
  const scripted = new Scripted()
  const { attempt, place, invoice } = await begun({ kind: 'ON_SESSION' })
  const open = await collect(tillOf(scripted), organizationId, attempt)
  expect(open.state).toBe('REQUIRES_ACTION')
  expect(scripted.asked).toEqual(['create', 'read'])
  fault(scripted.intents.get(open.payment_intent_id!)!, 'card_declined')
  expect((await settle(tillOf(scripted), place)).state).toBe('REQUIRES_ACTION')
  succeed(scripted.intents.get(open.payment_intent_id!)!)
  await settle(tillOf(scripted), place)
  expect(await names(invoice.id)).toEqual(['INVOICE_PAID'])
})

test('a hint is a reason to look, and nothing more', async () => {
  const scripted = new Scripted()
  scripted.onConfirm = intent => {
    intent.status = 'processing'
  }
  const { attempt, invoice } = await begun()
  const slow = await collect(tillOf(scripted), organizationId, attempt)
  const at = { organizationId, accountId: stage.accountId }
  const hint = {
    about: 'intent',
    objectId: slow.payment_intent_id!,
    intentId: slow.payment_intent_id,
  } as const
  await settleByHint(tillOf(scripted), at, hint)
  expect(await stateOf(slow)).toBe('PROCESSING')
  succeed(scripted.intents.get(slow.payment_intent_id!)!)
  await Promise.all([1, 2, 3].map(() => settleByHint(tillOf(scripted), at, hint)))
  expect(await books(invoice.id)).toEqual(paidOnce)
  expect(await names(invoice.id)).toEqual(['CHARGE_SUCCEEDED'])
})

test('an intent that was made for an attempt which had been given up is cancelled', async () => {
  const scripted = new Scripted()
  const { attempt } = await begun()
  scripted.instead.create = async () => {
    await due(attempt)
    await recoverCharges(tillOf(scripted))
  }
  const done = await collect(tillOf(scripted), organizationId, attempt)
  expect(done).toMatchObject({ state: 'FAILED', payment_intent_id: null })
  const [intent] = [...scripted.intents.values()]
  expect(intent!.status).toBe('canceled')
  intent!.status = 'requires_confirmation'
  await settleByHint(
    tillOf(scripted),
    { organizationId, accountId: stage.accountId },
    { about: 'intent', objectId: intent!.id, intentId: intent!.id },
  )
  expect(intent!.status).toBe('canceled')
})

async function due({ id }: Pick<AttemptRow, 'id'>): Promise<void> {
  await stage.sql(`update charge_attempt set look_at = now() - interval '1 second' where id = $1`, [id])
}
async function stateOf({ id }: Pick<AttemptRow, 'id'>): Promise<string> {
  const [row] = await stage.sql<{ state: string }>('select state from charge_attempt where id = $1', [id])
  return row!.state
}
async function waitOf({ id }: Pick<AttemptRow, 'id'>): Promise<number> {
  const [row] = await stage.sql<{ seconds: number }>(
    `select extract(epoch from look_at - updated_at)::int as seconds from charge_attempt where id = $1`,
    [id],
  )
  return row!.seconds
}
