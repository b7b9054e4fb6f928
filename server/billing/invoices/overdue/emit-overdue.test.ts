import { afterAll, beforeAll, expect, test } from 'vitest'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { openTestGateway, type TestGateway } from '#tests/support/billing/test-gateway.ts'
import { emitOverdueInvoices } from './emit-overdue.ts'

let stage: TestGateway
beforeAll(async () => {
  stage = await openTestGateway()
})
afterAll(() => stage?.close())

const names = async (id: string) => (await stage.events(id)).map(({ name }) => name)
/** An invoice that is due this many days after today, by the clock of the database. */
async function dueIn(days: number, facts = 'sent_at = sent_at') {
  const { id } = await plantInvoice(stage, stage.app)
  await stage.sql(
    `update invoice set due_date = (now() at time zone 'utc')::date + $2::integer, ${facts} where id = $1`,
    [id, days],
  )
  return id
}

test('INVOICE_OVERDUE is emitted once, however many workers run', async () => {
  const [yesterday, today, paid, voided, rectified, partly] = await Promise.all([
    dueIn(-1),
    dueIn(0),
    dueIn(-1, 'paid_cents = total_cents'),
    dueIn(-1, `lifecycle = 'VOIDED'`),
    dueIn(-1, 'rectified_cents = total_cents'),
    dueIn(-400, 'paid_cents = 100'),
  ])
  await Promise.all(Array.from({ length: 4 }, () => emitOverdueInvoices(stage.context.database)))
  expect(await emitOverdueInvoices(stage.context.database)).toBe(0)
  expect(await stage.events(yesterday)).toMatchObject([
    { name: 'INVOICE_OVERDUE', data: { status: 'ISSUED', dueCents: 12_100, sequence: 1 } },
  ])
  expect(await names(partly)).toEqual(['INVOICE_OVERDUE'])
  for (const id of [today, paid, voided, rectified]) expect(await names(id)).toEqual([])
  // an invoice that becomes due later is announced then, and no invoice is announced twice
  await stage.sql('update invoice set paid_cents = 0 where id = any($1)', [[paid, partly]])
  expect(await emitOverdueInvoices(stage.context.database)).toBe(1)
  expect(await names(paid)).toEqual(['INVOICE_OVERDUE'])
  expect(await names(partly)).toHaveLength(1)
})

test('an invoice without an application emits nothing', async () => {
  const id = await dueIn(-1, 'application_id = null, external_user_id = null')
  expect(await emitOverdueInvoices(stage.context.database)).toBe(0)
  expect(await names(id)).toEqual([])
})
