import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { chargeInvoice, payInvoice } from '#contract/billing/charges.ts'
import { voidInvoice } from '#contract/billing/invoices.ts'
import { makePublicLink } from '#contract/billing/links.ts'
import { answerByLink, payByLink } from '#contract/billing/pay-page.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { recoverCharges } from '#server/billing/index.ts'
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
type Act = (typeof acts)[number]

/** Who does what to one invoice, and how many milliseconds after the beginning. */
export const schedules = fc.record({
  card: fc.constantFrom(cards.good, cards.poor, cards.asks, cards.slow, cards.silent),
  steps: fc.array(
    fc.record({
      act: fc.constantFrom(...(acts as readonly Act[])),
      afterMs: fc.integer({ min: 0, max: 25 }),
    }),
    { minLength: 2, maxLength: 8 },
  ),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Runs schedules in a world whose gateway is the sandbox. However those who want to collect, pay, or end an invoice come
 * across each other, and whoever recovers meanwhile: what was collected is at most what was due, the ledger says what the
 * gateway says, and a void invoice has no money.
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
    const link = { token: publicUrl!.split('/p/')[1]! }
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
    const does: Record<Act, () => Promise<unknown>> = {
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
    await atRest(server, organization.id, invoice.id)
    await expectBalanced(server, organization.id, invoice.id)
  }
}

/**
 * 503 is only for a machine that stood still for seconds: nobody got a connection, or a statement took too long. It is never
 * for a lock, which was waited for in vain (55P03) or in a circle (40P01). A circle that was tried again counts too.
 */
async function expectAnswered(
  server: TestServer,
  answers: ({ status: number; body: unknown } | undefined)[],
): Promise<void> {
  for (const answer of answers)
    if (answer && answer.status !== 503) expect(answer.status, errorsLogged(server)).toBeLessThan(500)
  if (answers.some(answer => answer?.status === 503))
    expect(server.logged().match(/"code":"(?:55P03|40P01)"/g)).toBeNull()
  const [circles] = await server.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(circles).toEqual({ deadlocks: 0 })
}

/** The stack traces behind answers of 500, which themselves do not give their cause away. */
function errorsLogged(server: TestServer): string {
  return server
    .logged()
    .split('\n')
    .filter(line => line.includes('"stack"'))
    .join('\n')
}

async function recover(server: TestServer, invoiceId: string): Promise<void> {
  await server.sql('update charge_attempt set look_at = now() where invoice_id = $1 and ended_at is null', [
    invoiceId,
  ])
  await recoverCharges(server.api.services)
}

/** What is processing at the sandbox comes to its end. */
async function endSlow(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  await server.sql(
    `update sandbox_object set body = jsonb_set(body, '{ends,at}', '"2020-01-01T00:00:00.000Z"')
     where organization_id = $1 and kind = 'intent' and body -> 'metadata' ->> 'invoiceId' = $2
       and body ->> 'status' = 'processing'`,
    [organizationId, invoiceId],
  )
}

/** A day later: everything has ended, and nobody waits for a payer any more. */
async function atRest(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  await server.sql(
    `update charge_attempt set created_at = created_at - interval '25 hours' where invoice_id = $1`,
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

async function expectBalanced(server: TestServer, organizationId: string, invoiceId: string): Promise<void> {
  const [found] = await server.sql<Record<string, number> & { lifecycle: string }>(
    `select i.lifecycle, i.paid_cents::int as paid, i.total_cents::int as total, i.overpaid_cents::int as overpaid,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry where invoice_id = i.id) as ledger,
       (select coalesce(sum(amount_cents), 0)::int from payment
        where invoice_id = i.id and payment_intent_id is null and reversed_at is null) as "byHand",
       (select coalesce(sum((body ->> 'receivedCents')::int), 0)::int from sandbox_object
        where organization_id = $2 and kind = 'intent' and body -> 'metadata' ->> 'invoiceId' = i.id) as gateway
     from invoice i where i.id = $1`,
    [invoiceId, organizationId],
  )
  const { lifecycle, paid, total, overpaid, ledger, byHand, gateway } = found!
  expect(ledger).toBe(gateway! + byHand!)
  expect(paid).toBe(ledger)
  expect(paid).toBeLessThanOrEqual(total!)
  expect(overpaid).toBe(0)
  if (lifecycle === 'VOIDED') expect(paid).toBe(0)
}
