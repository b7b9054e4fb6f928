import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeInvoiceFigures, createInvoice } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import { line } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  owner = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const iva = { name: 'IVA', rate: '21' }
const irpf = { name: 'IRPF', rate: '-15' }
const compute = (body: { lines: object[]; isRectifying?: boolean }) =>
  owner.send(computeInvoiceFigures, { body: body as never })

test('the figures are those of an invoice with the same lines, and nothing is stored', async () => {
  const lines = [
    {
      description: 'Design',
      quantity: '2.50',
      unitPriceCents: 3_333,
      discountPercent: '12.5',
      taxes: [iva, irpf],
    },
    { description: 'Book', unitPriceCents: 1_050, taxes: [{ name: 'IVA', rate: '4.0' }] },
    { description: 'Deposit', quantity: '-1', unitPriceCents: 500 },
  ]
  const { id: clientId } = await makeClient(owner)
  const counts = () =>
    server.sql('select (select count(*) from invoice) as invoices, (select count(*) from outbox) as entries')
  const before = await counts()
  const computed = await owner.call(computeInvoiceFigures, { body: { lines } })
  expect(await counts()).toEqual(before)
  expect(computed).toMatchObject({ subtotalCents: 7_841, taxCents: 479, totalCents: 8_320 })
  const created = await owner.call(createInvoice, { body: { clientId, lines } })
  const { lines: stored, taxes, subtotalCents, taxCents, totalCents } = created
  expect(computed).toEqual({ lines: stored, taxes, subtotalCents, taxCents, totalCents })
})

test.each([
  ['too many lines', Array(limits.invoiceLines + 1).fill(line), 'lines'],
  ['a discount above 100 %', [{ ...line, discountPercent: '100.1' }], 'lines.0.discountPercent'],
  ['a tax that a line names twice', [{ ...line, taxes: [iva, iva] }], 'lines.0.taxes'],
  ['an amount that is too large', [{ ...line, quantity: '999999999' }], 'lines.0'],
  ['a negative total', [{ ...line, unitPriceCents: -1 }], 'lines'],
])('%s is refused as for an invoice', async (_, lines, path) => {
  const { id: clientId } = await makeClient(owner)
  const computed = await compute({ lines })
  const created = await owner.send(createInvoice, { body: { clientId, lines } })
  expect(refusalOf(computed)).toEqual([400, 'VALIDATION_ERROR'])
  expect(computed.body).toMatchObject({ details: [{ path }] })
  expect(computed.body).toEqual(created.body)
})

test('a rectifying invoice may have a negative total', async () => {
  const lines = [{ ...line, quantity: '-1' }]
  expect((await compute({ lines, isRectifying: true })).body).toMatchObject({ totalCents: -12_100 })
  expect((await compute({ lines: [] })).body).toMatchObject({ lines: [], taxes: [], totalCents: 0 })
})
