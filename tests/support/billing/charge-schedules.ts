import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { chargeInvoice, payInvoice } from '#contract/billing/charges.ts'
import { voidInvoice } from '#contract/billing/invoices.ts'
import { makePublicLink } from '#contract/billing/links.ts'
import { answerByLink, payByLink } from '#contract/billing/pay-page.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { pollCharges } from '#server/billing/charges/charge-poller.ts'
import { earlier } from '../earlier.ts'
import { captured, only } from '../elements.ts'
import { makeApplication } from '../integrations/applications.ts'
import type { TestServer } from '../test-server.ts'
import { cards, plantAccount, sandboxPayer } from './charges.ts'
import { plantInvoice } from './invoices.ts'
import { reverseNewest } from './refund-schedules.ts'

const acts = [
  'charge',
  'charge again',
  'charge anew',
  'mark paid',
  'mark partly paid',
  'open payment',
  'pay',
  'pay and be asked',
  'answer',
  'void',
  'recover',
  'end slow',
  'reverse',
  'reverse again',
] as const
type ChargeAct = (typeof acts)[number]

/** Actions on one invoice, each with its start in milliseconds. */
export const schedules = fc.record({
  card: fc.constantFrom(cards.good, cards.poor, cards.asks, cards.slow, cards.silent),
  steps: fc.array(
    fc.record({
      act: fc.constantFrom(...(acts as readonly ChargeAct[])),
      afterMs: fc.integer({ min: 0, max: 25 }),
    }),
    { minLength: 2, maxLength: 8 },
  ),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Runs schedules on a server whose gateway is the sandbox. However charges, payments, voids and polls interleave,
 * at most the amount due is collected, the ledger agrees with the gateway, and a void invoice has no payments.
 */
export async function scheduleRunner(server: TestServer): Promise<(schedule: Schedule) => Promise<void>> {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const app = await makeApplication(server, organization, {
    scopes: ['billing:charge', 'crm:invoices:write'],
  })
  const accountId = await plantAccount(server, organization.id)
  const anyone = server.client()

  return async ({ card, steps }) => {
    await server.sql('delete from rate_window')
    const invoice = await plantInvoice(server, app)
    const params = { id: invoice.id }
    const { userId } = invoice
    await sandboxPayer(server, app, accountId, userId, { card })
    const { publicUrl } = await owner.call(makePublicLink, { params, body: {} })
    const link = { token: captured(/\/p\/(.+)/, publicUrl) }
    const charge = (idempotencyKey: string) =>
      app.client.send(chargeInvoice, {
        params,
        body: { userId, idempotencyKey: `${idempotencyKey} ${invoice.id}` },
      })
    const pay = (number: string) =>
      anyone.send(payByLink, { params: link, body: { number, expires: '12/40' } })
    const mark = (amount?: number) =>
      app.client.send(markInvoicePaid, {
        params,
        body: { userId, method: 'CASH', ...(amount !== undefined && { amount }) },
      })
    const does: Record<ChargeAct, () => Promise<unknown>> = {
      charge: () => charge('a'),
      'charge again': () => charge('a'),
      'charge anew': () => charge('b'),
      'mark paid': () => mark(),
      'mark partly paid': () => mark(21),
      'open payment': () => app.client.send(payInvoice, { params, body: { userId } }),
      pay: () => pay(cards.good),
      'pay and be asked': () => pay(cards.asks),
      answer: () => anyone.send(answerByLink, { params: link, body: { isYou: 'yes' } }),
      reverse: () => reverseNewest(owner, invoice.id),
      'reverse again': () => reverseNewest(owner, invoice.id),
      void: () => app.client.send(voidInvoice, { params, body: { userId } }),
      recover: () => recover(server, invoice.id),
      'end slow': () => endSlow(server, organization.id, invoice.id),
    }
    const answers = await Promise.all(
      steps.map(async ({ act, afterMs }) => {
        await sleep(afterMs)
        return does[act]()
      }),
    )
    await expectAnswered(server, answers as ({ status: number; body: unknown } | undefined)[])
    await settleAll(server, organization.id, invoice.id)
    await expectBalanced(server, organization.id, invoice.id)
  }
}

/**
 * 503 is allowed only when the machine stood still for seconds: no free connection, or a statement timeout. It is
 * never allowed for a lock timeout (55P03) or a deadlock (40P01), even one that was retried.
 */
async function expectAnswered(
  server: TestServer,
  answers: ({ status: number; body: unknown } | undefined)[],
): Promise<void> {
  const failed = answers.find(answer => answer && answer.status >= 500 && answer.status !== 503)
  if (failed) expect(failed.status, await findingsOf(server)).toBeLessThan(500)
  if (answers.some(answer => answer?.status === 503))
    expect(server.logged().match(/"code":"(?:55P03|40P01)"/g)).toBeNull()
  const [circles] = await server.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(circles).toEqual({ deadlocks: 0 })
}

/** The stack traces of replies with status 500, which do not show their cause, and the latest attempts and intents. */
async function findingsOf(server: TestServer): Promise<string> {
  const stacks = server
    .logged()
    .split('\n')
    .filter(line => line.includes('"stack"'))
  const attempts = await server.sql('select * from charge_attempt order by created_at desc limit 5')
  const intents = await server.sql(
    `select body, created_at, updated_at from sandbox_object where kind = 'intent' order by created_at desc limit 5`,
  )
  return [...stacks, JSON.stringify({ attempts, intents }, null, 1)].join('\n')
}

async function recover(server: TestServer, invoiceId: string): Promise<void> {
  await server.sql(
    'update charge_attempt set next_poll_at = now() where invoice_id = $1 and ended_at is null',
    [invoiceId],
  )
  await pollCharges(server.api.services)
}

/** Ends what the sandbox is processing. */
async function endSlow(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  await server.sql(
    `update sandbox_object set body = jsonb_set(body, '{ends,at}', '"2020-01-01T00:00:00.000Z"')
     where organization_id = $1 and kind = 'intent' and body -> 'metadata' ->> 'invoiceId' = $2
       and body ->> 'status' = 'processing'`,
    [organizationId, invoiceId],
  )
}

/** Advances a day, until every attempt has ended. */
async function settleAll(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  await server.sql(
    `update charge_attempt set created_at = ${earlier('created_at', "interval '25 hours'")} where invoice_id = $1`,
    [invoiceId],
  )
  for (let round = 0; round < 20; round++) {
    const open = await server.sql('select 1 from charge_attempt where invoice_id = $1 and ended_at is null', [
      invoiceId,
    ])
    if (open.length === 0) return
    await endSlow(server, organizationId, invoiceId)
    await recover(server, invoiceId)
  }
  throw new Error('An attempt never ended')
}

/** Sums of an invoice in cents. */
type Balances = Record<'paid' | 'total' | 'overpaid' | 'ledger' | 'byHand' | 'gateway', number> & {
  lifecycle: string
}

async function expectBalanced(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  const found = only(
    await server.sql<Balances>(
      `select i.lifecycle, i.paid_cents::int as paid, i.total_cents::int as total, i.overpaid_cents::int as overpaid,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry
        where organization_id = $2 and invoice_id = $1) as ledger,
       (select coalesce(sum(amount_cents), 0)::int from payment
        where organization_id = $2 and invoice_id = $1 and payment_intent_id is null and reversed_at is null) as "byHand",
       (select coalesce(sum((body ->> 'receivedCents')::int), 0)::int from sandbox_object
        where organization_id = $2 and kind = 'intent' and body -> 'metadata' ->> 'invoiceId' = $1) as gateway
     from invoice i where i.organization_id = $2 and i.id = $1`,
      [invoiceId, organizationId],
    ),
  )
  const { lifecycle, paid, total, overpaid, ledger, byHand, gateway } = found
  expect(ledger).toBe(gateway + byHand)
  expect(paid).toBe(ledger)
  expect(paid).toBeLessThanOrEqual(total)
  expect(overpaid).toBe(0)
  if (lifecycle === 'VOIDED') expect(paid).toBe(0)
}
