import { afterAll, beforeAll, expect, test } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { newId } from '#platform/ids.ts'
import type { AttemptState } from '#server/billing/charges/charge.row.ts'
import { pollCharges } from '#server/billing/charges/charge-poller.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { cards, plantPayer } from '#tests/support/billing/charges.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { defined } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { type KillHarness, type KillMoment, openKillHarness } from './kill-harness.ts'

type Point = {
  card: keyof typeof cards
  moment: KillMoment
  /** The stored state of the attempt when the process is killed there, and its result. */
  storedState: AttemptState | undefined
  ends: Charge['status']
}
/**
 * The moments of a charge between and inside its transactions. Those inside come last: the database ends a
 * transaction that is idle after five seconds.
 */
const points: Record<string, Point> = {
  'the attempt is written, nothing was requested': {
    card: 'good',
    moment: { after: 1 },
    storedState: 'CREATED',
    ends: 'FAILED',
  },
  'the intent is created': {
    card: 'good',
    moment: { gateway: 'createIntent' },
    storedState: 'CREATED',
    ends: 'FAILED',
  },
  'the intent is known, and was not confirmed': {
    card: 'good',
    moment: { after: 2 },
    storedState: 'CONFIRMING',
    ends: 'FAILED',
  },
  'the intent is confirmed': {
    card: 'good',
    moment: { gateway: 'confirmIntent' },
    storedState: 'CONFIRMING',
    ends: 'SUCCEEDED',
  },
  'the intent is read': {
    card: 'good',
    moment: { gateway: 'readIntent' },
    storedState: 'CONFIRMING',
    ends: 'SUCCEEDED',
  },
  'the money is booked, no reply was sent': {
    card: 'good',
    moment: { after: 3 },
    storedState: 'SUCCEEDED',
    ends: 'SUCCEEDED',
  },
  'the card was declined': {
    card: 'poor',
    moment: { gateway: 'confirmIntent' },
    storedState: 'CONFIRMING',
    ends: 'FAILED',
  },
  'that it was declined is written': {
    card: 'poor',
    moment: { after: 3 },
    storedState: 'CANCELING',
    ends: 'FAILED',
  },
  'the declined intent is cancelled': {
    card: 'poor',
    moment: { gateway: 'cancelIntent' },
    storedState: 'CANCELING',
    ends: 'FAILED',
  },
  'the failure is written, no reply was sent': {
    card: 'poor',
    moment: { after: 4 },
    storedState: 'FAILED',
    ends: 'FAILED',
  },
  'the payer must authenticate, no reply was sent': {
    card: 'asks',
    moment: { after: 3 },
    storedState: 'REQUIRES_ACTION',
    ends: 'REQUIRES_ACTION',
  },
  'inside the transaction that writes the attempt': {
    card: 'good',
    moment: { before: 1 },
    storedState: undefined,
    ends: 'SUCCEEDED',
  },
  'inside the one that stores the intent': {
    card: 'good',
    moment: { before: 2 },
    storedState: 'CREATED',
    ends: 'FAILED',
  },
  'inside the one that books': {
    card: 'good',
    moment: { before: 3 },
    storedState: 'CONFIRMING',
    ends: 'SUCCEEDED',
  },
  'inside the one that writes that it was declined': {
    card: 'poor',
    moment: { before: 3 },
    storedState: 'CONFIRMING',
    ends: 'FAILED',
  },
  'inside the one that ends what was declined': {
    card: 'poor',
    moment: { before: 4 },
    storedState: 'CANCELING',
    ends: 'FAILED',
  },
  'inside the one that asks the payer': {
    card: 'asks',
    moment: { before: 3 },
    storedState: 'CONFIRMING',
    ends: 'REQUIRES_ACTION',
  },
}

let stage: KillHarness
const invoices = new Map<string, PlantedInvoice>()
const storedStates = new Map<string, AttemptState>()

beforeAll(async () => {
  stage = await openKillHarness(['billing:charge'])
  for (const [name, { card }] of Object.entries(points)) invoices.set(name, await chargeable(cards[card]))
  for (const [name, { moment }] of Object.entries(points))
    await stage.stopsAt(moment, client => client.send(chargeInvoice, callFor(name)))
  expect(await stage.kill()).toBe(0)
  const rows = await stage.server.sql<{ invoice_id: string; state: AttemptState }>(
    'select invoice_id, state from charge_attempt',
  )
  for (const { invoice_id, state } of rows) storedStates.set(invoice_id, state)
  await recovered()
})
afterAll(() => stage?.close())

async function chargeable(card: string): Promise<PlantedInvoice> {
  const { server, app, accountId, double } = stage
  const invoice = await plantInvoice(server, app)
  const gateway = await gatewayOf(server.api.services, app.organizationId, accountId)
  const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, newId())
  await plantPayer(server, app, accountId, invoice.userId, {
    customerId,
    gatewayMethodId: double.addMethod(card),
  })
  return invoice
}

function callFor(name: string) {
  const { id, userId } = defined(invoices.get(name))
  return { params: { id }, body: { userId, idempotencyKey: name } }
}

/** Advances time and polls until only attempts that wait for their payer are left. */
async function recovered(): Promise<void> {
  const { server } = stage
  const open = `ended_at is null and state <> 'REQUIRES_ACTION'`
  await until('every charge has ended', async () => {
    await server.sql(`update charge_attempt set next_poll_at = now() where ${open}`)
    await pollCharges(server.api.services)
    return (await server.sql(`select 1 from charge_attempt where ${open}`)).length === 0
  })
}

test.each(Object.entries(points))('kill -9 when %s', async (name, point) => {
  const { server, double, app } = stage
  const invoice = defined(invoices.get(name))
  expect(storedStates.get(invoice.id)).toBe(point.storedState)
  const again = await app.client.send(chargeInvoice, callFor(name))
  expect(again.body).toMatchObject({ status: point.ends })
  const captures = point.ends === 'SUCCEEDED' ? 1 : 0
  const made = double.intents().filter(({ metadata }) => metadata.invoiceId === invoice.id)
  expect(made.filter(({ amount_received }) => amount_received > 0)).toHaveLength(captures)
  const [books] = await server.sql(
    `select i.paid_cents::int as paid, count(l.id)::int as entries, coalesce(sum(l.amount_cents), 0)::int as ledger
     from invoice i left join ledger_entry l on l.invoice_id = i.id where i.id = $1 group by 1`,
    [invoice.id],
  )
  expect(books).toEqual({ paid: 12_100 * captures, entries: captures, ledger: 12_100 * captures })
  await server.relayed()
  const events = await server.sql<{ name: string }>(
    `select name from event where data ->> 'invoiceId' = $1 order by seq`,
    [invoice.id],
  )
  expect(events.map(event => event.name)).toEqual(['CHARGE_STARTED', `CHARGE_${point.ends}`])
})
