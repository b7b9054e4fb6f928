import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { issueInvoice, readInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { markInvoicePaid, reversePayment } from '#contract/billing/payments.ts'
import { refundInvoice } from '#contract/billing/refunds.ts'
import type { Client } from '#sdk/client.ts'
import { pollCharges } from '#server/billing/charges/charge-poller.ts'
import { pollRefunds } from '#server/billing/refunds/refund-poller.ts'
import { makeClient } from '../crm/leads-and-clients.ts'
import { itemAt, only } from '../elements.ts'
import { makeApplication } from '../integrations/applications.ts'
import type { TestServer } from '../test-server.ts'
import { plantAccount, plantPayer } from './charges.ts'
import type { GatewayDouble } from './gateway/double.ts'
import { organizationOfInvoice } from './invoice-organization.ts'
import { plantIssuer, whereabouts } from './invoices.ts'
import { collectedInvoice, makePollsDue } from './refunds.ts'

const acts = [
  'refund all',
  'refund some',
  'refund some again',
  'refund the older one',
  'refund in the panel',
  'rectify all',
  'rectify some',
  'void',
  'mark paid',
  'charge',
  'recover',
  'lose an answer',
  'mark partly paid',
  'reverse',
  'reverse again',
] as const
type RefundAct = (typeof acts)[number]

/** Actions on one invoice, each with its start in milliseconds. */
export const refundSchedules = fc.array(
  fc.record({
    act: fc.constantFrom(...(acts as readonly RefundAct[])),
    afterMs: fc.integer({ min: 0, max: 25 }),
  }),
  { minLength: 2, maxLength: 8 },
)
type Schedule = typeof refundSchedules extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Runs schedules against a gateway double, on an invoice of 150.00 of which 60.00 and 40.00 were collected. However
 * refunds, rectifications, voids, payments and polls interleave, no more is refunded than was collected, the ledger
 * agrees with the gateway, no more is rectified than was invoiced, and each key is one refund.
 */
export async function refundRunner(
  server: TestServer,
  double: GatewayDouble,
): Promise<(schedule: Schedule) => Promise<void>> {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
  const { id: clientId } = await makeClient(owner, whereabouts)
  const app = await makeApplication(server, organization, {
    scopes: ['billing:charge', 'billing:refund', 'crm:invoices:write'],
  })
  const { cipher } = server.api.services
  const accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
  const context = { sql: server.sql, context: server.api.services, double }
  const noticesUrl = `${server.url}/api/billing/gateway/notices/${organization.id}/${accountId}`

  return async steps => {
    await server.sql('delete from rate_window')
    const invoice = await collectedInvoice(context, app, accountId, {
      amounts: [6_000, 4_000],
      totalCents: 15_000,
    })
    const { id, userId, intents } = invoice
    await server.sql('update invoice set client_id = $2 where id = $1', [id, clientId])
    const gatewayMethodId = double.addMethod('4242424242424242')
    await plantPayer(server, app, accountId, userId, { gatewayMethodId, customerId: double.addCustomer() })
    const params = { id }
    const refund = (body: object) =>
      app.client.send(refundInvoice, { params, body: { userId, ...body } as never })
    const rectify = async (unitPriceCents?: number) => {
      const lines = unitPriceCents === undefined ? {} : { lines: [{ description: 'Less', unitPriceCents }] }
      const draft = await owner.send(rectifyInvoice, { params, body: { reason: 'Wrong', ...lines } })
      if (draft.status !== 201) return draft
      return owner.send(issueInvoice, { params: { id: draft.body.id }, body: {} })
    }
    const does: Record<RefundAct, () => Promise<unknown>> = {
      'refund all': () => refund({}),
      'refund some': () => refund({ amountCents: 5_500, idempotencyKey: `some of ${id}` }),
      'refund some again': () => refund({ amountCents: 5_500, idempotencyKey: `some of ${id}` }),
      'refund the older one': () => refund({ paymentIntentId: intents[0] }),
      async 'refund in the panel'() {
        const [made] = [itemAt(intents, 1)].flatMap(intent =>
          tryTo(() => double.refundsInPanel(intent, 1_500)),
        )
        if (made) return fetch(noticesUrl, { method: 'POST', ...double.notice('refund.created', made) })
      },
      'rectify all': () => rectify(),
      'rectify some': () => rectify(-6_000),
      void: () => app.client.send(voidInvoice, { params, body: { userId } }),
      'mark partly paid': () =>
        app.client.send(markInvoicePaid, { params, body: { userId, method: 'CASH', amount: 21 } }),
      reverse: () => reverseNewest(owner, id),
      'reverse again': () => reverseNewest(owner, id),
      'mark paid': () => app.client.send(markInvoicePaid, { params, body: { userId, method: 'CASH' } }),
      charge: () => app.client.send(chargeInvoice, { params, body: { userId } }),
      recover: () => recover(server, id),
      'lose an answer': async () => double.fails('createRefund', 'drop after', 1),
    }
    const answers = await Promise.all(
      steps.map(async ({ act, afterMs }) => {
        await sleep(afterMs)
        return does[act]()
      }),
    )
    for (const answer of answers as ({ status?: number; body: unknown } | undefined)[])
      if (answer?.status !== undefined) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    double.heals()
    await settleAll(server, id)
    await expectBalanced(server, double, id)
  }
}

/** Reverses the newest manual payment of an invoice, if any. */
export async function reverseNewest(owner: Client, id: string): Promise<unknown> {
  const { payments } = await owner.call(readInvoice, { params: { id } })
  const byHand = payments.findLast(({ paymentIntentId }) => paymentIntentId === null)
  if (!byHand) return undefined
  return owner.send(reversePayment, { params: { id, paymentId: byHand.id }, body: { reason: 'Mistake' } })
}

/** The result, or nothing when the gateway refuses. */
function tryTo<Value>(act: () => Value): Value[] {
  try {
    return [act()]
  } catch {
    return []
  }
}

async function recover(server: TestServer, invoiceId: string): Promise<void> {
  await makePollsDue(server.sql, invoiceId)
  await server.sql(
    'update charge_attempt set next_poll_at = now() where invoice_id = $1 and ended_at is null',
    [invoiceId],
  )
  await pollRefunds(server.api.services)
  await pollCharges(server.api.services)
}

async function settleAll(server: TestServer, invoiceId: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const open = await server.sql(
      `select 1 from refund where invoice_id = $1 and status = 'PENDING'
       union all select 1 from charge_attempt where invoice_id = $1 and ended_at is null`,
      [invoiceId],
    )
    await recover(server, invoiceId)
    if (open.length === 0) return
  }
  throw new Error('Something never ended')
}

/** Sums of an invoice in cents, and the number of its refunds with a key. */
type Balances = Record<Sum, number> & { lifecycle: string }
type Sum =
  | 'paid'
  | 'total'
  | 'refunded'
  | 'rectified'
  | 'rectifiedBy'
  | 'ledger'
  | 'reserved'
  | 'byHand'
  | 'keyed'
  | 'emitted'

async function expectBalanced(server: TestServer, double: GatewayDouble, invoiceId: string): Promise<void> {
  await server.relayed()
  const found = only(
    await server.sql<Balances>(
      `select i.lifecycle, i.paid_cents::int as paid, i.total_cents::int as total, i.refunded_cents::int as refunded,
       i.rectified_cents::int as rectified,
       (select coalesce(sum(-total_cents), 0)::int from invoice
        where organization_id = $1 and rectifies_invoice_id = $2 and lifecycle = 'ISSUED') as "rectifiedBy",
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry
        where organization_id = $1 and invoice_id = $2) as ledger,
       (select coalesce(sum(refund_reserved_cents), 0)::int from payment
        where organization_id = $1 and invoice_id = $2) as reserved,
       (select coalesce(sum(amount_cents), 0)::int from payment
        where organization_id = $1 and invoice_id = $2 and payment_intent_id is null and reversed_at is null) as "byHand",
       (select count(*)::int from refund
        where organization_id = $1 and invoice_id = $2 and idempotency_key is not null) as keyed,
       (select coalesce(sum((data ->> 'amountCents')::int), 0)::int from event
        where organization_id = $1 and data ->> 'invoiceId' = $2 and name = 'INVOICE_REFUNDED') as emitted
     from invoice i where i.organization_id = $1 and i.id = $2`,
      [await organizationOfInvoice(server.sql, invoiceId), invoiceId],
    ),
  )
  const intents = double.intents().filter(({ metadata }) => metadata.invoiceId === invoiceId)
  const ids = new Set(intents.map(({ id }) => id))
  const collected = intents.reduce((sum, { amount_received }) => sum + amount_received, 0)
  const givenBack = double
    .refunds()
    .filter(({ payment_intent, status }) => ids.has(String(payment_intent)) && status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0)
  const {
    lifecycle,
    paid,
    total,
    refunded,
    rectified,
    rectifiedBy,
    ledger,
    reserved,
    byHand,
    keyed,
    emitted,
  } = found
  expect(givenBack).toBeLessThanOrEqual(collected)
  expect({ refunded, reserved, emitted }).toEqual({
    refunded: givenBack,
    reserved: givenBack,
    emitted: givenBack,
  })
  expect(ledger).toBe(collected + byHand - givenBack)
  expect(paid).toBe(collected + byHand)
  expect(paid).toBeLessThanOrEqual(total)
  expect(rectified).toBe(rectifiedBy)
  expect(rectified).toBeLessThanOrEqual(total)
  expect(keyed).toBeLessThanOrEqual(1)
  if (lifecycle === 'VOIDED')
    expect({ money: paid - refunded, rectified }).toEqual({ money: 0, rectified: 0 })
}
