import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundInvoice } from '#contract/billing/refunds.ts'
import type { Refund } from '#contract/billing/shapes.ts'
import type { RefundPartState } from '#server/billing/refunds/refund.row.ts'
import { pollRefunds } from '#server/billing/refunds/refund-poller.ts'
import { plantIssuer } from '#tests/support/billing/invoices.ts'
import {
  type CollectedInvoice,
  collectedInvoice,
  makePollsDue,
  refundedAtGateway,
  refundTotals,
} from '#tests/support/billing/refunds.ts'
import { defined } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { insertRows } from '#tests/support/rows.ts'
import { type KillHarness, type KillMoment, openKillHarness } from './kill-harness.ts'

/** Where the process is killed, and the stored state of the refund then. In any case the money is refunded, once. */
type Point = {
  moment: KillMoment
  storedState: RefundPartState | undefined
  /** It requests a rectifying invoice, and the settings issue it at once. */
  rectifies?: true
}
const points: Record<string, Point> = {
  'it is reserved, nothing was requested': { moment: { after: 1 }, storedState: 'SENT' },
  'it is refunded': { moment: { gateway: 'createRefund' }, storedState: 'SENT' },
  'it is booked, no reply was sent': { moment: { after: 2 }, storedState: 'SUCCEEDED' },
  'it is booked with its rectifying invoice': {
    moment: { after: 2 },
    storedState: 'SUCCEEDED',
    rectifies: true,
  },
  'inside the transaction that reserves': { moment: { before: 1 }, storedState: undefined },
  'inside the one that books': { moment: { before: 2 }, storedState: 'SENT' },
  'inside the one that books and rectifies': { moment: { before: 2 }, storedState: 'SENT', rectifies: true },
}

let stage: KillHarness
const invoices = new Map<string, CollectedInvoice>()
const storedStates = new Map<string, RefundPartState>()

beforeAll(async () => {
  stage = await openKillHarness(['billing:refund'])
  const { server, double, app, accountId } = stage
  await plantIssuer(server, app.organizationId)
  await insertRows(server, 'billing_settings', [
    { organization_id: app.organizationId, issues_rectifying_at_once: true },
  ])
  const collecting = { sql: server.sql, context: server.api.services, double }
  for (const name of Object.keys(points))
    invoices.set(name, await collectedInvoice(collecting, app, accountId))
  await server.sql(
    `update crm_client set tax_id = 'B12345674', address = 'Calle 1', city = 'Bilbao', postal_code = '48001', country = 'ES'`,
  )
  for (const [name, { moment }] of Object.entries(points))
    await stage.stopsAt(moment, client => client.send(refundInvoice, callFor(name)))
  expect(await stage.kill()).toBe(0)
  const rows = await server.sql<{ invoice_id: string; state: RefundPartState }>(
    'select r.invoice_id, p.state from refund_part p join refund r on r.id = p.refund_id',
  )
  for (const { invoice_id, state } of rows) storedStates.set(invoice_id, state)
  await until('every refund has ended', async () => {
    for (const { id } of invoices.values()) await makePollsDue(server.sql, id)
    await pollRefunds(server.api.services)
    return (await server.sql(`select 1 from refund where status = 'PENDING'`)).length === 0
  })
})
afterAll(() => stage?.close())

function callFor(name: string) {
  const { id, userId } = defined(invoices.get(name))
  const createRectifyingInvoice = defined(points[name]).rectifies === true
  return { params: { id }, body: { userId, idempotencyKey: name, createRectifyingInvoice } }
}

test.each(Object.entries(points))('kill -9 when %s', async (name, point) => {
  const { server, double, app } = stage
  const invoice = defined(invoices.get(name))
  expect(storedStates.get(invoice.id)).toBe(point.storedState)
  const again = await app.client.send(refundInvoice, callFor(name))
  expect(again.body).toMatchObject({ status: 'SUCCEEDED' })
  expect(double.refunds().filter(made => made.payment_intent === invoice.intents[0])).toHaveLength(1)
  expect(refundedAtGateway(double, invoice.intents)).toBe(12_100)
  expect(await refundTotals(server.sql, invoice.id)).toEqual({
    refunded: 12_100,
    reserved: 12_100,
    ledger: 0,
    paid: 12_100,
  })
  await server.relayed()
  const events = await server.sql<{ name: string }>(
    `select name from event where data ->> 'invoiceId' = $1 order by seq`,
    [invoice.id],
  )
  const rectified = point.rectifies ? ['INVOICE_RECTIFIED'] : []
  expect(events.map(event => event.name)).toEqual(['INVOICE_REFUNDED', ...rectified])
  const rectifying = await server.sql(
    'select id, lifecycle, total_cents::int as cents from invoice where rectifies_invoice_id = $1',
    [invoice.id],
  )
  const { rectifyingInvoiceId } = again.body as Refund
  expect(rectifying).toEqual(
    point.rectifies ? [{ id: rectifyingInvoiceId, lifecycle: 'ISSUED', cents: -12_100 }] : [],
  )
})
